import { type Selectable, sql } from 'kysely';
import type { CoinHorizon } from '#features/market/contract/coin-ranges.ts';
import type { Db, Tables } from '#kernel/db.ts';
import type { DailyCandle } from '../local/volatility-model.ts';
import '../schema.ts';

export type NewCoinRange = Omit<Selectable<Tables['coin_ranges']>, 'end_price' | 'counted'>;
export type CoinRangeReplay = Selectable<Tables['coin_range_replays']>;
export type Graded = { horizon: CoinHorizon; n: number; held_80: number; held_95: number };
export type CoinKey = { id: string; key: number };

const BATCH = 2000;
const whereCoin = (coinId: string | null) =>
  coinId === null ? sql`true` : sql`r.coin_key = (select key from coins where id = ${coinId})`;

/** Whether the close of a daily candle `d` is that of the end of its day: after an outage it may be hours older. */
const IS_CLOSED = sql`(d.minutes >= 1440 or exists (
  select 1 from candles_1h h where h.coin_key = d.coin_key and h.at = d.at + interval '23 hours'))`;

/**
 * Listed coins with a whole daily candle of `day` and one at least `fewestDays` older. `hasRange`: one starts at the
 * end of `day`.
 */
export async function coinsWithDays(
  db: Db,
  day: Date,
  fewestDays: number,
): Promise<(CoinKey & { hasRange: boolean })[]> {
  const at = sql`${day.toISOString()}::timestamptz`;
  const { rows } = await sql<CoinKey & { hasRange: boolean }>`
    select c.id, c.key, exists (
      select 1 from coin_ranges r where r.coin_key = c.key and r.starts_at = ${at} + interval '24 hours' and r.horizon = '24h'
    ) as "hasRange"
    from coins c where c.listed
      and exists (select 1 from candles_1d d where d.coin_key = c.key and d.at = ${at} and ${IS_CLOSED})
      and exists (select 1 from candles_1d d where d.coin_key = c.key and d.at <= ${at} - make_interval(days => ${fewestDays}))
    order by c.id`.execute(db);
  return rows;
}

/** Daily candles from `from` through `day`, oldest first. */
export async function candlesBefore(db: Db, coinKey: number, from: Date, day: Date): Promise<DailyCandle[]> {
  const { rows } = await sql<DailyCandle>`
    select (extract(epoch from at) / 86400)::int as day, open, high, low, close from candles_1d
    where coin_key = ${coinKey} and at >= ${from.toISOString()} and at <= ${day.toISOString()} order by at`.execute(db);
  return rows;
}

/** Rows that are already stored are unchanged. */
export async function insertCoinRanges(db: Db, rows: readonly NewCoinRange[]): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH)
    await db
      .insertInto('coin_ranges')
      .values(rows.slice(i, i + BATCH))
      .onConflict((oc) => oc.doNothing())
      .execute();
}

/** Sets the close at the end of each range whose last day is over and stored. */
export async function gradeCoinRanges(db: Db, now: Date): Promise<void> {
  await sql`update coin_ranges r set end_price = d.close from candles_1d d
    where r.end_price is null and r.ends_at <= ${now.toISOString()}::timestamptz
      and d.coin_key = r.coin_key and d.at = r.ends_at - interval '24 hours' and ${IS_CLOSED}`.execute(db);
}

/** The newest range of each horizon that starts after `since`. */
export async function newestCoinRanges(db: Db, coinId: string, since: Date): Promise<NewCoinRange[]> {
  const { rows } = await sql<NewCoinRange>`
    select distinct on (r.horizon) r.* from coin_ranges r join coins c on c.key = r.coin_key
    where c.id = ${coinId} and r.starts_at > ${since.toISOString()}::timestamptz
    order by r.horizon, r.starts_at desc`.execute(db);
  return rows;
}

export type StoredDayRange = { id: string; made_at: string; price: number; low: number; high: number };

/** The 24h 80% ranges that start between two moments, oldest first: for one coin, or for all. */
export async function readDayRanges(db: Db, coinId: string | null, from: Date, to: Date): Promise<StoredDayRange[]> {
  const { rows } = await sql<StoredDayRange>`
    select c.id, r.made_at, r.price, r.low_80 as low, r.high_80 as high
    from coin_ranges r join coins c on c.key = r.coin_key
    where (${coinId}::text is null or c.id = ${coinId}) and r.horizon = '24h'
      and r.starts_at > ${from.toISOString()}::timestamptz and r.starts_at <= ${to.toISOString()}::timestamptz
    order by r.starts_at`.execute(db);
  return rows;
}

/** Hit rate of the ranges that count: for one coin, or for all together. */
export async function readGraded(db: Db, coinId: string | null): Promise<Graded[]> {
  const { rows } = await sql<Graded>`
    select r.horizon, count(*) as n,
      count(*) filter (where r.end_price between r.low_80 and r.high_80) as held_80,
      count(*) filter (where r.end_price between r.low_95 and r.high_95) as held_95
    from coin_ranges r where ${whereCoin(coinId)} and r.end_price is not null and r.counted group by r.horizon`.execute(
    db,
  );
  return rows;
}

/** The same for the replays. */
export async function readReplays(db: Db, coinId: string | null): Promise<Graded[]> {
  const { rows } = await sql<Graded>`
    select r.horizon, sum(r.n)::int8 as n, sum(r.held_80)::int8 as held_80, sum(r.held_95)::int8 as held_95
    from coin_range_replays r where ${whereCoin(coinId)} group by r.horizon`.execute(db);
  return rows;
}

/** How many coins have a range that starts after `since`. */
export async function countCoins(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ coins: number }>`select count(distinct coin_key) as coins from coin_ranges
    where starts_at > ${since.toISOString()}::timestamptz`.execute(db);
  return rows[0]?.coins ?? 0;
}

/** How many coins the newest replay of that version has; 0 when it is older than `since`. */
export async function replayedCoins(db: Db, version: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('coin_range_replays')
    .select(({ fn }) => fn.count<number>('coin_key').distinct().as('coins'))
    .where('model_version', '=', version)
    .where('made_at', '>', since.toISOString())
    .executeTakeFirst();
  return row?.coins ?? 0;
}

/** Replaces all earlier replays. */
export async function saveReplays(db: Db, rows: readonly CoinRangeReplay[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('coin_range_replays').execute();
    for (let i = 0; i < rows.length; i += BATCH)
      await tx
        .insertInto('coin_range_replays')
        .values(rows.slice(i, i + BATCH))
        .execute();
  });
}
