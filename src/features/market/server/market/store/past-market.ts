import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';

import type { BoardCoin, BoardQuote } from '../board.ts';

export type PastCoin = BoardCoin & { listed: boolean };

export async function listAllCoins(db: Db): Promise<PastCoin[]> {
  return db.selectFrom('coins').select(['id', 'symbol', 'name', 'rank', 'circulating_supply', 'listed']).execute();
}

type ObservationRow = {
  coin_id: string;
  source: string;
  price: number;
  change_24h: number | null;
  volume_24h: number | null;
  market_cap: number | null;
  observed_at: string;
  fetched_at: string;
  method: Method;
};

/** The newest observation of every coin at that time, and its newest one from a price list. */
export async function findObservationsAt(
  db: Db,
  at: Date,
  from: Date,
  listings: readonly string[],
): Promise<BoardQuote[]> {
  const within = sql`o.coin_key = c.key and o.observed_at <= ${at.toISOString()} and o.observed_at > ${from.toISOString()}`;
  const { rows } = await sql<ObservationRow>`
    select c.id as coin_id, q.source, q.price, q.change_24h, q.volume_24h, q.market_cap, q.observed_at, q.fetched_at, q.method
    from coins c, lateral (
      (select o.* from price_observations o where ${within} order by o.observed_at desc limit 1)
      union
      (select o.* from price_observations o where ${within} and o.source = any(${[...listings]}::text[])
        order by o.observed_at desc limit 1)
    ) q`.execute(db);
  return rows.map(({ coin_id, observed_at, fetched_at, ...figures }) => ({
    ...figures,
    coinId: coin_id,
    change_7d: null,
    low_24h: null,
    high_24h: null,
    observedAt: Date.parse(observed_at),
    fetchedAt: Date.parse(fetched_at),
  }));
}

export type PastClose = {
  coinId: string;
  close: number;
  /** When the candle ended, ms since epoch. */
  endedAt: number;
  fetchedAt: number;
  source: string;
  method: Method;
};

type CloseRow = {
  coin_id: string;
  close: number;
  ended_at: string;
  fetched_at: string;
  source: string;
  method: Method;
};

/** The close of the last candle of every coin that ended by then: minutes, hours, then days, none older than `from`. */
export async function findClosesAt(db: Db, at: Date, from: Date): Promise<Map<string, PastClose>> {
  const [last, first] = [sql`${at.toISOString()}::timestamptz`, sql`${from.toISOString()}::timestamptz`];
  const newest = (table: string, length: ReturnType<typeof sql>) => sql`
    (select o.close, o.at + ${length} as ended_at, o.fetched_at, o.source, o.method from ${sql.table(table)} o
      where o.coin_key = c.key and o.at < ${last} and o.at > ${first} and o.at + ${length} <= ${last}
      order by o.at desc limit 1)`;
  const { rows } = await sql<CloseRow>`
    select c.id as coin_id, q.* from coins c, lateral (
      select * from (
        ${newest('candles_1m', sql`make_interval(mins => o.minutes)`)}
        union all ${newest('candles_1h', sql`interval '1 hour'`)}
        union all ${newest('candles_1d', sql`interval '24 hours'`)}
      ) closes order by ended_at desc limit 1
    ) q where c.listed`.execute(db);
  return new Map(
    rows.map(({ coin_id, close, ended_at, fetched_at, source, method }) => [
      coin_id,
      { coinId: coin_id, close, endedAt: Date.parse(ended_at), fetchedAt: Date.parse(fetched_at), source, method },
    ]),
  );
}

export type PastRange = {
  low: number;
  high: number;
  /** Whole hours covered. */
  hours: number;
  /** Minutes covered before and after them. */
  minutes: number;
  endedAt: number;
  fetchedAt: number;
  sources: string[];
};

type RangeRow = Pick<PastRange, 'low' | 'high' | 'hours' | 'minutes' | 'sources'> & {
  coin_id: string;
  ended_at: string;
  fetched_at: string;
};

const HOUR_MS = 3_600_000;

/** The lowest and highest price of every coin between two moments: whole hours, and the minutes at both edges. */
export async function readRangesBetween(db: Db, from: Date, to: Date): Promise<Map<string, PastRange>> {
  const moment = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
  const [first, last] = [moment(from.getTime()), moment(to.getTime())];
  const firstHour = moment(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS);
  const lastHour = moment(Math.floor(to.getTime() / HOUR_MS) * HOUR_MS);
  const columns = sql`o.low, o.high, o.fetched_at, o.source, o.minutes`;
  const minutes = (condition: ReturnType<typeof sql>) => sql`
    select ${columns}, o.at + make_interval(mins => o.minutes) as ended_at, false as whole from candles_1m o
    where o.coin_key = c.key and ${condition}`;
  const { rows } = await sql<RangeRow>`
    select c.id as coin_id, min(q.low) as low, max(q.high) as high, (count(*) filter (where q.whole))::int as hours,
      coalesce(sum(q.minutes) filter (where not q.whole), 0)::int as minutes,
      max(q.ended_at) as ended_at, max(q.fetched_at) as fetched_at, array_agg(distinct q.source) as sources
    from coins c, lateral (
      select ${columns}, o.at + interval '1 hour' as ended_at, true as whole from candles_1h o
      where o.coin_key = c.key and o.at >= ${firstHour} and o.at < ${lastHour}
      union all ${minutes(sql`o.at >= ${first} and o.at < ${firstHour}`)}
      union all ${minutes(sql`o.at >= ${lastHour} and o.at + make_interval(mins => o.minutes) <= ${last}`)}
    ) q group by c.id`.execute(db);
  return new Map(
    rows.map(({ coin_id, ended_at, fetched_at, ...range }) => [
      coin_id,
      { ...range, endedAt: Date.parse(ended_at), fetchedAt: Date.parse(fetched_at) },
    ]),
  );
}
