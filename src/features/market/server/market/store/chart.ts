import { type RawBuilder, sql } from 'kysely';

import type { Candle } from '#features/market/contract/market.ts';
import type { Db } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';

import type { CandleTable } from './candles.ts';

/** So many minutes from midnight UTC on, or by the calendar. */
export type Bin = number | 'day' | 'week' | 'month';

export type ChartRow = Candle & {
  /** When the last stored bar of it ends, and until when it was seen. */
  ended_at: string;
  observed_at: string;
  source: string;
  fetched_at: string;
  method: Method;
};

/** A minute's row may be a bar of five that was fetched from the past. */
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
 * One coin's candles that begin in [from, to), oldest first. A volume is known only where the bars that have one cover all the
 * time that is covered. The cost follows the range, not the size of the table.
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
