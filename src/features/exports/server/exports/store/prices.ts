import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { countOf, PAGE, pagesOf, type Row, type Scope, within } from './scope.ts';

export type Bars = 'candles_1m' | 'candles_1h' | 'candles_1d';

/** Coins whose minutes are put together at once: a day of them makes about one page. */
const COINS = 16;
const BIN = sql`date_bin('5 minutes', c.at, timestamptz '2000-01-01 00:00:00+00')`;

const inRange = (scope: Scope) => within(sql`c.at`, scope);

export async function countBars(db: Db, bars: Bars, scope: Scope, most: number): Promise<number> {
  const query =
    bars === 'candles_1m'
      ? sql`select 1 from candles_1m c where ${inRange(scope)} group by c.coin_key, ${BIN}`
      : sql`select 1 from ${sql.table(bars)} c where ${inRange(scope)}`;
  return countOf(db, query, most);
}

/** Symbols of the listed coins whose history has neither been loaded nor found missing, the largest first. */
export async function coinsBeingLoaded(db: Db): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`select c.symbol from coins c
    where c.listed and not exists (select 1 from candle_backfills b where b.coin_id = c.id)
    order by c.rank nulls last, c.id`.execute(db);
  return rows.map(({ symbol }) => symbol);
}

/** Bars by coin, then time. Minutes become bars of five; who gave them is named as far as they differ. */
export const barPages = (db: Db, bars: Bars, scope: Scope): AsyncGenerator<Row[]> =>
  bars === 'candles_1m' ? fiveMinutes(db, scope) : stored(db, bars, scope);

async function* fiveMinutes(db: Db, scope: Scope): AsyncGenerator<Row[]> {
  const coins = await db.selectFrom('coins').select('key').orderBy('key').execute();
  for (let i = 0; i < coins.length; i += COINS) {
    const keys = coins.slice(i, i + COINS).map(({ key }) => key);
    const { rows } = await sql<Row>`select b.*, o.id as coin, o.symbol, o.name from (
      select c.coin_key, ${BIN} as at, (array_agg(c.open order by c.at))[1] as open, max(c.high) as high, min(c.low) as low,
        (array_agg(c.close order by c.at desc))[1] as close, sum(c.volume) as volume, sum(c.minutes)::int as minutes,
        string_agg(distinct c.source, '+') as source, max(c.fetched_at) as fetched_at,
        case when bool_or(c.method = 'demo') then 'demo' else 'computed' end as method
      from candles_1m c where c.coin_key = any(${keys}::int[]) and ${inRange(scope)} group by 1, 2) b
      join coins o on o.key = b.coin_key order by b.coin_key, b.at`.execute(db);
    if (rows.length > 0) yield rows;
  }
}

const stored = (db: Db, bars: Bars, scope: Scope) =>
  pagesOf(async (after) => {
    const beyond = after
      ? sql`and (c.coin_key, c.at) > (${after['coin_key']}::int, ${after['at']}::timestamptz)`
      : sql``;
    const { rows } = await sql<Row>`select c.*, o.id as coin, o.symbol, o.name from (
      select c.coin_key, c.at, c.open, c.high, c.low, c.close, c.volume, c.minutes, c.source, c.fetched_at, c.method
      from ${sql.table(bars)} c where ${inRange(scope)} ${beyond} order by c.coin_key, c.at limit ${PAGE}) c
      join coins o on o.key = c.coin_key order by c.coin_key, c.at`.execute(db);
    return rows;
  });
