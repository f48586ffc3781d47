import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';

export type Span = { metric: string; source: string; first: string; last: string };

/** First and last timestamp per metric and source: a few primary-key steps each, regardless of the number of values. */
export async function readSpans(db: Db, metrics: readonly string[]): Promise<Span[]> {
  const { rows } = await sql<Span>`
    with recursive names as (
      select m.metric, s.source from unnest(${metrics}::text[]) m (metric), lateral (
        select o.source from metric_observations o where o.metric = m.metric order by o.source limit 1) s
      union all
      select n.metric, s.source from names n, lateral (
        select o.source from metric_observations o where o.metric = n.metric and o.source > n.source
        order by o.source limit 1) s
    )
    select n.metric, n.source, f.observed_at as first, l.observed_at as last from names n, lateral (
      select o.observed_at from metric_observations o where o.metric = n.metric and o.source = n.source
      order by o.observed_at limit 1) f, lateral (
      select o.observed_at from metric_observations o where o.metric = n.metric and o.source = n.source
      order by o.observed_at desc limit 1) l`.execute(db);
  return rows;
}

/** `older` is the previous value of the same series; null for the first. */
export type Row = {
  /** Index of its series in the request. */
  place: number;
  at: string;
  value: number;
  source: string;
  fetched_at: string;
  method: Method;
  older: number | null;
};

/** Rows from `to` back to `from`, both included, newest first; rows of the same time in series order. */
export type Part = {
  from: Date;
  to: Date;
  /** Per series: whether a row exactly at `to` is included. */
  inclusive: readonly boolean[];
  limit: number;
};

const places = (length: number): number[] => Array.from({ length }, (_, i) => i);

/**
 * Reads the newest rows of each series by primary key, plus one to compute the last change; cost grows with the rows
 * requested, not those stored.
 */
export async function metricRows(
  db: Db,
  series: readonly { metric: string; source: string }[],
  { from, to, inclusive, limit }: Part,
): Promise<Row[]> {
  const upper = sql`${to.toISOString()}::timestamptz`;
  const { rows } = await sql<Row>`
    select s.place, o.at, o.value, s.source, o.fetched_at, o.method, o.older
    from unnest(${places(series.length)}::int[], ${series.map(({ metric }) => metric)}::text[],
        ${series.map(({ source }) => source)}::text[], ${inclusive}::boolean[]) s (place, metric, source, inclusive),
      lateral (
        select q.*, lead(q.value) over (order by q.at desc) as older from (
          select m.observed_at as at, m.value, m.fetched_at, m.method from metric_observations m
          where m.metric = s.metric and m.source = s.source
            and m.observed_at <= ${upper} and (s.inclusive or m.observed_at < ${upper})
          order by m.observed_at desc limit ${limit + 1}::int
        ) q
      ) o
    where o.at >= ${from.toISOString()}
    order by o.at desc, s.place limit ${limit}::int`.execute(db);
  return rows;
}

/** Hourly closes of coins, and daily closes before hourly retention begins. */
export async function closeRows(db: Db, ids: readonly string[], { from, to, inclusive, limit }: Part): Promise<Row[]> {
  const upper = sql`${to.toISOString()}::timestamptz`;
  const bars = (table: string, length: string) => sql`
    select c.at + interval ${sql.lit(length)} as at, c.close as value, c.source, c.fetched_at, c.method
    from ${sql.table(table)} c
    where c.coin_key = k.key and c.at <= ${upper} - interval ${sql.lit(length)}
      and (s.inclusive or c.at < ${upper} - interval ${sql.lit(length)})`;
  const newest = sql`order by c.at desc limit ${limit + 1}::int`;
  const { rows } = await sql<Row>`
    select s.place, o.at, o.value, o.source, o.fetched_at, o.method, o.older
    from unnest(${places(ids.length)}::int[], ${ids}::text[], ${inclusive}::boolean[]) s (place, id, inclusive)
      join coins k on k.id = s.id
      left join lateral (
        select date_trunc('day', h.at, 'UTC') as day from candles_1h h where h.coin_key = k.key order by h.at limit 1
      ) hours on true,
      lateral (
        select q.*, lead(q.value) over (order by q.at desc) as older from (
          select * from (
            (${bars('candles_1h', '1 hour')} ${newest})
            union all
            (${bars('candles_1d', '24 hours')} and c.at < coalesce(hours.day, 'infinity') ${newest})
          ) b order by b.at desc limit ${limit + 1}::int
        ) q
      ) o
    where o.at >= ${from.toISOString()}
    order by o.at desc, s.place limit ${limit}::int`.execute(db);
  return rows;
}
