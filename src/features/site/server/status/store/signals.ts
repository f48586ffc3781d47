import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { Span } from '../detect.ts';

const iso = (ms: number) => new Date(ms).toISOString();
type Row = { at: string };
const toTimes = (rows: readonly Row[]): number[] => rows.map(({ at }) => Date.parse(at));

/** Duty of a process, by its role. */
export type Duty = 'serves' | 'works' | 'any';
const EXCEPT = { serves: 'worker', works: 'web', any: '' } as const;

/** Minutes in which a process with that duty reported. */
export async function beatsIn(db: Db, { from, to }: Span, duty: Duty): Promise<Set<number>> {
  const { rows } = await sql<Row>`select distinct minute as at from process_heartbeats
    where minute >= ${iso(from)} and minute < ${iso(to)} and role <> ${EXCEPT[duty]}`.execute(db);
  return new Set(toTimes(rows));
}

export async function findBeat(db: Db, which: 'first' | 'last', duty: Duty, since: number): Promise<number | null> {
  const order = which === 'first' ? sql`min(minute)` : sql`max(minute)`;
  const { rows } = await sql<{ at: string | null }>`select ${order} as at from process_heartbeats
    where minute >= ${iso(since)} and role <> ${EXCEPT[duty]}`.execute(db);
  return rows[0]?.at ? Date.parse(rows[0].at) : null;
}

/** Number of processes that reported in this minute or the one before. */
export async function countReporting(db: Db, now: number, duty: Duty): Promise<number> {
  const { rows } = await sql<{
    processes: number;
  }>`select count(distinct process_id) as processes from process_heartbeats
    where minute > ${iso(now - 120_000)} and minute <= ${iso(now)} and role <> ${EXCEPT[duty]}`.execute(db);
  return rows[0]?.processes ?? 0;
}

/** The newest observation of each minute, per coin; a coin without any has an empty list. */
export async function pricesIn(db: Db, { from, to }: Span, coins: readonly string[]): Promise<number[][]> {
  const { rows } = await sql<Row & { coin: string }>`select c.id as coin, max(p.observed_at) as at
    from coins c join price_observations p on p.coin_key = c.key and p.observed_at > ${iso(from)} and p.observed_at <= ${iso(to)}
    where c.id = any(${[...coins]}::text[])
    group by c.id, date_trunc('minute', p.observed_at) order by at`.execute(db);
  return coins.map((coin) => toTimes(rows.filter((row) => row.coin === coin)));
}

/** Completion times of full collections' analyses. */
export async function collectionsIn(db: Db, { from, to }: Span): Promise<number[]> {
  const { rows } = await sql<Row>`select finished_at as at from analyses
    where issued_at > ${iso(from)} and issued_at <= ${iso(to)} and finished_at <= ${iso(to)} order by at`.execute(db);
  return toTimes(rows);
}

/** Start of the hours in which at least half of the called sources responded. */
export async function answeredHoursIn(db: Db, { from, to }: Span, sources: readonly string[]): Promise<number[]> {
  const { rows } = await sql<Row>`select hour as at from (
      select hour, source, bool_or(latency_class >= 0) as answered from source_calls
      where hour > ${iso(from)} and hour <= ${iso(to)} and source = any(${[...sources]}::text[]) group by hour, source
    ) each group by hour having 2 * count(*) filter (where answered) >= count(*) order by hour`.execute(db);
  return toTimes(rows);
}

/** Due time of the oldest pending delivery; null when none is pending. */
export async function oldestDue(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: string | null }>`select min(due_at) as at from notification_deliveries
    where state = 'due'`.execute(db);
  return rows[0]?.at ? Date.parse(rows[0].at) : null;
}

export async function countFailed(db: Db): Promise<number> {
  const { rows } = await sql<{ failed: number }>`select count(*) as failed from notification_deliveries
    where state = 'failed'`.execute(db);
  return rows[0]?.failed ?? 0;
}
