import { type RawBuilder, sql } from 'kysely';
import type { Candle } from '#features/market/contract/market.ts';
import type { Db } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';

import type { CandleTable } from './candles.ts';

/** A price from one stored bar. `at` is the moment it represents. */
export type BarPrice = { usd: number; source: string; bar: 'minute' | 'hour' | 'day'; at: string };

const TABLES = [
  { bar: 'minute', table: 'candles_1m', length: '1 minute', value: '(high + low) / 2', stands: 'at' },
  { bar: 'hour', table: 'candles_1h', length: '1 hour', value: 'close', stands: "at + interval '1 hour'" },
  { bar: 'day', table: 'candles_1d', length: '24 hours', value: 'close', stands: "at + interval '24 hours'" },
] as const;

/** Maximum distance of a bar of this length from the moment. */
const WITHIN = { minute: '30 minutes', hour: '2 hours', day: '24 hours' } as const;
const BEFORE = { minute: '15 minutes', hour: '1 hour', day: '1 hour' } as const;

/** One price per moment, in order. `parts` select bars of coin `k` around moment `m`. */
async function pricesAt(
  db: Db,
  coinId: string,
  moments: readonly { at: Date; now: Date }[],
  parts: RawBuilder<unknown>[],
): Promise<(BarPrice | undefined)[]> {
  const times = (of: (moment: { at: Date; now: Date }) => Date) => moments.map((moment) => of(moment).toISOString());
  const { rows } = await sql<BarPrice & { i: number }>`select m.i::int as i, q.usd, q.source, q.bar, q.at
    from unnest(${times(({ at }) => at)}::timestamptz[], ${times(({ now }) => now)}::timestamptz[])
      with ordinality m (at, now, i), coins k, lateral (
      select * from (${sql.join(parts, sql` union all `)}) bars order by fineness limit 1
    ) q where k.id = ${coinId}`.execute(db);
  const found = new Map(rows.map(({ i, ...price }) => [i, price]));
  return moments.map((_, i) => found.get(i + 1));
}

/**
 * The price at each moment, from bars stored and closed by `now`: the middle of the first minute bar at or after it,
 * else the close of the hour, else of the day, that ends there or next.
 */
export function pricesAfter(
  db: Db,
  coinId: string,
  moments: readonly { at: Date; now: Date }[],
): Promise<(BarPrice | undefined)[]> {
  const parts = TABLES.map(
    (
      { bar, table, length, value, stands },
      i,
    ) => sql`(select ${sql.lit(bar)} as bar, ${sql.raw(value)} as usd, c.source,
      ${sql.raw(stands)} as at, ${sql.lit(i)} as fineness from ${sql.table(table)} c
      where c.coin_key = k.key and c.at >= m.at - interval '24 hours' and ${sql.raw(stands)} >= m.at
        and ${sql.raw(stands)} <= m.at + interval ${sql.lit(WITHIN[bar])}
        and c.at + interval ${sql.lit(length)} <= m.now
      order by c.at limit 1)`,
  );
  return pricesAt(db, coinId, moments, parts);
}

/** The last price known at each moment: the middle of the last closed minute bar, else the close of the hour or day. */
export function pricesBefore(db: Db, coinId: string, moments: readonly Date[]): Promise<(BarPrice | undefined)[]> {
  const parts = TABLES.map(
    ({ bar, table, length, value }, i) => sql`(select ${sql.lit(bar)} as bar, ${sql.raw(value)} as usd, c.source,
      c.at + interval ${sql.lit(length)} as at, ${sql.lit(i)} as fineness from ${sql.table(table)} c
      where c.coin_key = k.key and c.at + interval ${sql.lit(length)} <= m.at
        and c.at > m.at - interval ${sql.lit(length)} - interval ${sql.lit(BEFORE[bar])}
      order by c.at desc limit 1)`,
  );
  return pricesAt(
    db,
    coinId,
    moments.map((at) => ({ at, now: at })),
    parts,
  );
}

/** A number of minutes from midnight UTC, or a calendar unit. */
export type Bin = number | 'day' | 'week' | 'month';

export type ChartRow = Candle & {
  /** When its last stored bar ends, and when it was last observed. */
  ended_at: string;
  observed_at: string;
  source: string;
  fetched_at: string;
  method: Method;
};

/** A minute row may be a backfilled five-minute bar. */
const LENGTH: Record<CandleTable, RawBuilder<unknown>> = {
  candles_1m: sql`make_interval(mins => minutes)`,
  candles_1h: sql`interval '1 hour'`,
  candles_1d: sql`interval '24 hours'`,
};

const binned = (bin: Bin) =>
  typeof bin === 'number'
    ? sql`date_bin(make_interval(mins => ${bin}), at, timestamptz '2000-01-01 00:00:00+00')`
    : sql`date_trunc(${sql.lit(bin)}, at, 'UTC')`;

/**
 * One coin's candles that start in [from, to), oldest first. A volume is known only if the bars with one cover all the
 * time covered. The cost depends on the range, not on the table size.
 */
export async function chartRows(
  db: Db,
  coinKey: number,
  { table, bin }: { table: CandleTable; bin: Bin },
  from: Date,
  to: Date,
): Promise<ChartRow[]> {
  const { rows } = await sql<ChartRow>`
    select bin as at, (array_agg(open order by bars.at))[1] as open, max(high) as high, min(low) as low,
      (array_agg(close order by bars.at desc))[1] as close,
      case when count(volume) = count(*)
        or sum(length) filter (where volume is not null) >= max(bars.at + length) - min(bars.at) then sum(volume) end as volume,
      max(bars.at + length) as ended_at, max(least(bars.at + length, fetched_at)) as observed_at,
      (array_agg(source order by bars.at desc))[1] as source, max(fetched_at) as fetched_at,
      (array_agg(method order by bars.at desc))[1] as method
    from (
      select *, ${LENGTH[table]} as length, ${binned(bin)} as bin from ${sql.table(table)}
      where coin_key = ${coinKey} and at >= ${from.toISOString()} and at < ${to.toISOString()}
    ) bars group by bin order by bin`.execute(db);
  return rows;
}
