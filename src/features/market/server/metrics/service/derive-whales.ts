import type { MetricsContext } from '../context.ts';
import { WALLETS_KNOWN } from '../providers/exchange-wallets.ts';
import { observationsBetween } from '../store.ts';
import type { Observation, StoredObservation } from '../types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BLOCKS_AN_HOUR = 6;
/** Nothing lies so far from the next block that a counted day would not show one in it. */
const EDGE_MS = 3 * HOUR_MS;

const heightOf = ({ detail }: StoredObservation) => Number(detail?.['height']);

/** Large Bitcoin transfers of the last 24h, summed over the blocks counted; blocks not yet counted are said. */
export async function deriveWhales(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = now.getTime() - DAY_MS;
  const read = async (name: string) =>
    new Map(
      (await observationsBetween(ctx.db, `venue.whales.${name}`, new Date(from - EDGE_MS), now)).map((row) => [
        heightOf(row),
        row,
      ]),
    );
  const [counts, larges, deposits] = await Promise.all([read('count'), read('large'), read('deposits')]);
  const blocks = [...counts.values()];
  const day = blocks.filter((row) => Date.parse(row.observed_at) > from);
  const newest = day.at(-1);
  if (!newest) return [];
  const heights = day.map(heightOf);
  const lowest = Math.min(...heights);
  const isWhole = Math.max(...heights) - lowest + 1 === day.length && counts.has(lowest - 1);
  const collectedHours = isWhole ? 24 : Math.min(23, Math.round((10 * day.length) / BLOCKS_AN_HOUR) / 10);
  const total = (of: Map<number, StoredObservation>) =>
    heights.reduce((sum, height) => sum + (of.get(height)?.value ?? 0), 0);
  const observation = (metric: string, value: number, what: string): Observation => ({
    metric,
    value,
    observedAt: new Date(newest.observed_at),
    detail: {
      venues: [...new Set(day.map(({ source }) => source))],
      terms: `${what}, in ${day.length} Bitcoin blocks`,
      collectedHours,
    },
  });
  return [
    observation('whales.count', total(counts), 'Outputs of $1M or more, excluding change'),
    observation('whales.large', total(larges), 'Outputs of $10M or more, excluding change'),
    observation(
      'whales.deposits',
      total(deposits),
      `Outputs of $1M or more to ${WALLETS_KNOWN} published exchange wallets`,
    ),
  ];
}
