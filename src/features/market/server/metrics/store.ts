import { type JSONColumnType, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import { packed, type Series, unpack } from '#kernel/packed-series.ts';
import type { Method } from '#shared/provenance.ts';

import type { Detail, Observation, StoredObservation } from './types.ts';

interface MetricObservationsTable {
  metric: string;
  source: string;
  observed_at: string;
  value: number;
  detail: JSONColumnType<Detail> | null;
  fetched_at: string;
  method: string;
}

interface MetricBackfillsTable {
  source: string;
  state: string;
  note: string | null;
  through: string;
}

declare module '#kernel/db.ts' {
  interface Tables {
    metric_observations: MetricObservationsTable;
    metric_backfills: MetricBackfillsTable;
  }
}

type Write = Observation & { source: string; fetchedAt: Date; method: Method };

/** Stores observations in one statement. The same moment of the same source is overwritten. */
export async function saveObservations(db: Db, rows: Write[]): Promise<void> {
  const keyed = new Map(rows.map((row) => [`${row.metric} ${row.source} ${row.observedAt.getTime()}`, row]));
  // Sorted by key, so that two processes saving at once cannot deadlock.
  const unique = [...keyed.keys()].toSorted().map((key) => keyed.get(key) as Write);
  for (let i = 0; i < unique.length; i += 2000) {
    const part = unique.slice(i, i + 2000);
    await sql`insert into metric_observations as m (metric, source, observed_at, value, detail, fetched_at, method)
      select * from unnest(${part.map((row) => row.metric)}::text[], ${part.map((row) => row.source)}::text[],
        ${part.map((row) => row.observedAt.toISOString())}::timestamptz[], ${part.map((row) => row.value)}::float8[],
        ${part.map((row) => (row.detail ? JSON.stringify(row.detail) : null))}::jsonb[],
        ${part.map((row) => row.fetchedAt.toISOString())}::timestamptz[], ${part.map((row) => row.method)}::text[])
      on conflict (metric, source, observed_at) do update set
        value = excluded.value, detail = excluded.detail, fetched_at = excluded.fetched_at, method = excluded.method
      where (m.value, m.detail) is distinct from (excluded.value, excluded.detail)`.execute(db);
  }
}

/**
 * The newest value of every metric and source at that time, none older than `from`. Skips from name to name along the
 * primary key: the cost depends on the number of names, not of rows.
 */
export async function observationsAt(db: Db, at: Date, from: Date): Promise<StoredObservation[]> {
  const { rows } = await sql<StoredObservation>`
    with recursive names as (
      (select metric, source from metric_observations order by metric, source limit 1)
      union all
      select n.metric, n.source from names, lateral (
        select o.metric, o.source from metric_observations o where (o.metric, o.source) > (names.metric, names.source)
        order by o.metric, o.source limit 1) n
    )
    select o.* from names, lateral (
      select * from metric_observations m where m.metric = names.metric and m.source = names.source
        and m.observed_at <= ${at.toISOString()} and m.observed_at > ${from.toISOString()}
      order by m.observed_at desc limit 1) o`.execute(db);
  return rows;
}

export type DailyValue = { metric: string; source: string; day: string; value: number };

/**
 * The last value of each UTC day, oldest first. One lookup per metric, source and day, however many values a day has.
 */
export async function dailyValues(db: Db, metrics: string[], from: Date, to: Date): Promise<DailyValue[]> {
  if (metrics.length === 0) return [];
  const [first, last] = [sql`${from.toISOString()}::timestamptz`, sql`${to.toISOString()}::timestamptz`];
  const { rows } = await sql<DailyValue>`
    with recursive names as (
      select m.metric, s.source from unnest(${metrics}::text[]) m (metric), lateral (
        select o.source from metric_observations o where o.metric = m.metric order by o.source limit 1) s
      union all
      select n.metric, s.source from names n, lateral (
        select o.source from metric_observations o where o.metric = n.metric and o.source > n.source
        order by o.source limit 1) s
    )
    select names.metric, names.source, to_char(d.day at time zone 'UTC', 'YYYY-MM-DD') as day, o.value
    from names, generate_series(date_trunc('day', ${first}, 'UTC'), ${last}, interval '24 hours') d (day), lateral (
      select m.value from metric_observations m where m.metric = names.metric and m.source = names.source
        and m.observed_at > ${first} and m.observed_at <= ${last}
        and m.observed_at >= d.day and m.observed_at < d.day + interval '24 hours'
      order by m.observed_at desc limit 1) o
    order by names.metric, names.source, d.day`.execute(db);
  return rows;
}

/** Values between two moments, oldest first. */
export async function observationsBetween(db: Db, metric: string, from: Date, to: Date): Promise<StoredObservation[]> {
  const rows = await db
    .selectFrom('metric_observations')
    .selectAll()
    .where('metric', '=', metric)
    .where('observed_at', '>', from.toISOString())
    .where('observed_at', '<=', to.toISOString())
    .orderBy('observed_at')
    .execute();
  return rows.map((row) => ({ ...row, method: row.method as Method, detail: row.detail }));
}

export async function finishedBackfills(db: Db): Promise<Map<string, { state: string; through: string }>> {
  const rows = await db.selectFrom('metric_backfills').selectAll().execute();
  return new Map(rows.map(({ source, state, through }) => [source, { state, through }]));
}

/** Stores the history of one source together with the mark that it is loaded. */
export async function saveBackfill(
  db: Db,
  source: string,
  rows: Write[],
  mark: { state: 'complete' | 'unavailable'; note: string | null; through: Date },
): Promise<void> {
  const row = { state: mark.state, note: mark.note, through: mark.through.toISOString() };
  await db.transaction().execute(async (tx) => {
    await saveObservations(tx, rows);
    await tx
      .insertInto('metric_backfills')
      .values({ source, ...row })
      .onConflict((oc) => oc.column('source').doUpdateSet(row))
      .execute();
  });
}

/** Number of days with a value, by source. */
export async function daysBySource(db: Db, metric: string, from: Date, to: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ source: string; days: number }>`
    select source, count(distinct date_trunc('day', observed_at, 'UTC'))::int as days from metric_observations
    where metric = ${metric} and observed_at > ${from.toISOString()} and observed_at <= ${to.toISOString()}
    group by source`.execute(db);
  return new Map(rows.map(({ source, days }) => [source, days]));
}

/** Every value of a metric from one source, oldest first. */
export async function readSeries(db: Db, metric: string, source: string, from: Date, to: Date): Promise<Series> {
  const { rows } = await sql<{ bytes: Buffer | null }>`
    select ${packed(sql`observed_at`, sql`value`)} as bytes from metric_observations
    where metric = ${metric} and source = ${source}
      and observed_at > ${from.toISOString()} and observed_at <= ${to.toISOString()}`.execute(db);
  return unpack(rows[0]?.bytes ?? null);
}
