import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import { packed, type Series, unpack } from '#kernel/packed-series.ts';
import type { Method } from '#shared/provenance.ts';

import { type CandleWrite, mergeMinutes } from './candles.ts';

export type TickQuote = {
  coinId: string;
  coinKey: number;
  source: string;
  price: number;
  change_24h: number | null;
  market_cap: number | null;
  observedAt: Date;
  fetchedAt: Date;
  method: Method;
};

/**
 * Stores the last ticks, their minute candles and, with `observe`, an observation each; within the caller's
 * transaction.
 */
export async function saveTicks(tx: Db, quotes: TickQuote[], candles: CandleWrite[], observe: boolean): Promise<void> {
  if (quotes.length === 0 && candles.length === 0) return;
  await mergeMinutes(tx, candles);
  if (quotes.length === 0) return;
  await sql`insert into coin_quotes as q (coin_id, source, price, change_24h, market_cap, observed_at, fetched_at, method)
    select * from unnest(${quotes.map((q) => q.coinId)}::text[], ${quotes.map((q) => q.source)}::text[],
      ${quotes.map((q) => q.price)}::float8[], ${quotes.map((q) => q.change_24h)}::float8[], ${quotes.map((q) => q.market_cap)}::float8[],
      ${quotes.map((q) => q.observedAt.toISOString())}::timestamptz[], ${quotes.map((q) => q.fetchedAt.toISOString())}::timestamptz[],
      ${quotes.map((q) => q.method)}::text[])
    on conflict (coin_id, source) do update set price = excluded.price, change_24h = excluded.change_24h,
      market_cap = excluded.market_cap, observed_at = excluded.observed_at, fetched_at = excluded.fetched_at, method = excluded.method
    where excluded.observed_at >= q.observed_at`.execute(tx);
  if (!observe) return;
  await sql`insert into price_observations (coin_key, observed_at, source, price, change_24h, market_cap, fetched_at, method)
    select * from unnest(${quotes.map((q) => q.coinKey)}::int[], ${quotes.map((q) => q.observedAt.toISOString())}::timestamptz[],
      ${quotes.map((q) => q.source)}::text[], ${quotes.map((q) => q.price)}::float8[], ${quotes.map((q) => q.change_24h)}::float8[],
      ${quotes.map((q) => q.market_cap)}::float8[], ${quotes.map((q) => q.fetchedAt.toISOString())}::timestamptz[],
      ${quotes.map((q) => q.method)}::text[])
    on conflict do nothing`.execute(tx);
}

/** `day` is YYYY-MM-DD, UTC. */
export type DailyClose = { day: string; close: number; volume: number | null };

/** In USD. From a source with closes only, the bar runs from the previous close and has no further range. */
export type DailyCandle = DailyClose & { open: number; high: number; low: number; source: string };

/** Daily candles per coin id, oldest first. */
export async function dailyCandles(db: Db, ids: string[], from: Date, to: Date): Promise<Map<string, DailyCandle[]>> {
  const { rows } = await sql<DailyCandle & { id: string }>`
    select coins.id, to_char(c.at at time zone 'UTC', 'YYYY-MM-DD') as day, c.open, c.high, c.low, c.close, c.volume, c.source
    from candles_1d c join coins on coins.key = c.coin_key
    where coins.id = any(${ids}) and c.at >= date_trunc('day', ${from.toISOString()}::timestamptz, 'UTC')
      and c.at <= ${to.toISOString()}
    order by coins.id, c.at`.execute(db);
  return Map.groupBy(rows, ({ id }) => id);
}

/** `source` is that of most values; null without any. */
export type CloseSeries = Series & { source: string | null };

/** Hourly closes of one coin, and daily closes of days without hours. Incomplete bars are excluded. */
export async function readCloses(db: Db, coinId: string, from: Date, to: Date): Promise<CloseSeries> {
  const [first, last] = [sql`${from.toISOString()}::timestamptz`, sql`${to.toISOString()}::timestamptz`];
  const { rows } = await sql<{ bytes: Buffer | null; source: string | null }>`
    with coin as (select key from coins where id = ${coinId}),
    hours as (
      select c.at + interval '1 hour' as at, c.close, c.source, date_trunc('day', c.at, 'UTC') as day from candles_1h c
      where c.coin_key = (select key from coin) and c.at >= ${first} - interval '1 hour' and c.at <= ${last} - interval '1 hour'
    ),
    closes as (
      select at, close, source from hours
      union all
      select c.at + interval '24 hours', c.close, c.source from candles_1d c
      where c.coin_key = (select key from coin) and c.at >= ${first} - interval '24 hours' and c.at <= ${last} - interval '24 hours'
        and not exists (select 1 from hours h where h.day = c.at)
    )
    select ${packed(sql`at`, sql`close`)} as bytes, mode() within group (order by source) as source from closes`.execute(
    db,
  );
  return { ...unpack(rows[0]?.bytes ?? null), source: rows[0]?.source ?? null };
}

/** The last values of a price list on a UTC day. */
export type ListedDay = { day: string; source: string; market_cap: number | null; volume_24h: number | null };

/** Oldest first. Ticks have no volume. One lookup per day. */
export async function listedDays(db: Db, coinId: string, from: Date, to: Date): Promise<ListedDay[]> {
  const [first, last] = [sql`${from.toISOString()}::timestamptz`, sql`${to.toISOString()}::timestamptz`];
  const { rows } = await sql<ListedDay>`
    select to_char(d.day at time zone 'UTC', 'YYYY-MM-DD') as day, o.*
    from coins c, generate_series(date_trunc('day', ${first}, 'UTC'), ${last}, interval '24 hours') d (day), lateral (
      select p.source, p.market_cap, p.volume_24h from price_observations p
      where p.coin_key = c.key and p.observed_at > ${first} and p.observed_at <= ${last} and p.volume_24h is not null
        and p.observed_at >= d.day and p.observed_at < d.day + interval '24 hours'
      order by p.observed_at desc limit 1) o
    where c.id = ${coinId} order by d.day`.execute(db);
  return rows;
}
