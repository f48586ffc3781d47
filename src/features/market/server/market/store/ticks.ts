import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
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

/** Stores the last ticks, their minute candles and, when `observe`, an observation each; part of the caller's transaction. */
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
