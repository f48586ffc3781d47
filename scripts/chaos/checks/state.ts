import { weightOf } from '../fleet.ts';
import type { Night } from '../night.ts';

const SAMPLE = 3000;
/** Sources round, list prices are of the minute, tethers are not a dollar to the last digit. */
const MOST_OFF = 0.004;

type Price = { id: string; price: number; observed_at: Date; source: string };

/** Prices that were stored in the night against the market that was played. */
export async function checkPrices(night: Night): Promise<string[]> {
  const rows = await night.cluster.query<Price>(
    `select c.id, p.price, p.observed_at, p.source from price_observations p join coins c on c.key = p.coin_key
     where p.observed_at >= $1 and p.observed_at < $2 order by random() limit ${SAMPLE}`,
    [night.startedAt, night.endedAt ?? new Date()],
  );
  let worst = 0;
  const wrong = rows.flatMap(({ id, price, observed_at: at, source }) => {
    const real = night.world.market.priceAt(id, at.getTime());
    const off = Math.abs(price / real - 1);
    worst = Math.max(worst, off);
    return off > MOST_OFF
      ? [`${source} gave ${id} ${price} at ${at.toISOString()}, and the market was at ${real}`]
      : [];
  });
  night.tell(`prices looked at: ${rows.length}, the farthest from the market by ${(worst * 100).toFixed(3)}%`);
  if (rows.length === 0) wrong.push('no price was stored in the night');
  return wrong;
}

/** What tells of a bug rather than of the night. */
const BUG =
  /TypeError|ReferenceError|RangeError|is not a function|Cannot read prop|undefined is not|violates|duplicate key|syntax error|deadlock|does not exist|unhandled|uncaught/i;

export async function checkErrors(night: Night): Promise<string[]> {
  const groups = await night.cluster.query<{
    source: string;
    type: string;
    message: string;
    details: string | null;
    count: string;
  }>('select source, type, message, details, count from error_groups order by count desc');
  night.tell(`error log: ${groups.length} failures of ${new Set(groups.map(({ source }) => source)).size} sources`);
  for (const { source, message, count, details } of groups.slice(0, 60))
    night.tell(
      `  ${count}× ${source}: ${message.slice(0, 120)}${details ? ` — ${details.replaceAll(/\s+/g, ' ').slice(0, 140)}` : ''}`,
    );
  const stored = groups
    .filter(({ message, details }) => BUG.test(`${message} ${details ?? ''}`))
    .map(({ source, message, details }) => `error log: ${source}: ${message} — ${(details ?? '').slice(0, 600)}`);
  const printed = night.fleet.members.flatMap(({ name, output }) =>
    /unhandled|uncaught|heap out of memory/i.test(output()) ? [`${name} has printed of something uncaught`] : [],
  );
  return [...stored, ...printed];
}

const MOST_MB = 900;
const MORE_FILES = 60;

export function weights(night: Night): Map<string, { mb: number; files: number }> {
  return new Map(
    night.fleet.members.flatMap(({ name, pid }) => {
      const weight = weightOf(pid());
      return weight ? [[name, weight] as const] : [];
    }),
  );
}

export function checkWeights(night: Night, before: ReadonlyMap<string, { files: number }>): string[] {
  return [...weights(night)].flatMap(([name, { mb, files }]) => {
    const had = before.get(name)?.files ?? files;
    night.tell(`${name}: ${mb} MB, ${files} open files (${had} before the night)`);
    return mb > MOST_MB || files > had + MORE_FILES ? [`${name} has ${mb} MB and ${files} open files`] : [];
  });
}
