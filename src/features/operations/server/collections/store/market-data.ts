import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export type PriceRecord = {
  coin: string;
  symbol: string;
  name: string;
  price: number;
  change_24h: number | null;
  volume_24h: number | null;
  market_cap: number | null;
  source: string;
  observedAt: string;
  fetchedAt: string;
  method: string;
};

const FIRST_SPAN_MS = 60_000;
const SHORTEST_SPAN_MS = 1_000;
const LONGEST_SPAN_MS = 30 * 86_400_000;
const FEW = 1_000;
const MANY = 4_000;

/** The moment of the newest price up to `upTo`; one step along the primary key for each coin. */
async function newestAt(db: Db, upTo: string): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select max(o.observed_at) as at from coins k, lateral (
      select p.observed_at from price_observations p where p.coin_key = k.key and p.observed_at <= ${upTo}::timestamptz
      order by p.observed_at desc limit 1) o`.execute(db);
  return rows[0]?.at ?? null;
}

/** Every stored price, newest first, in spans of time that follow how many there are; the table has no index by time alone. */
export async function* pricePages(db: Db): AsyncGenerator<PriceRecord[]> {
  let upTo = 'infinity';
  let spanMs = FIRST_SPAN_MS;
  for (;;) {
    const newest = await newestAt(db, upTo);
    if (newest === null) return;
    const after = new Date(Date.parse(newest) - spanMs).toISOString();
    const { rows } = await sql<PriceRecord>`
      select k.id as coin, k.symbol, k.name, o.price, o.change_24h, o.volume_24h, o.market_cap, o.source,
        o.observed_at as "observedAt", o.fetched_at as "fetchedAt", o.method
      from coins k, lateral (
        select * from price_observations p where p.coin_key = k.key
          and p.observed_at > ${after}::timestamptz and p.observed_at <= ${upTo}::timestamptz) o
      order by o.observed_at desc, k.rank nulls last, k.key, o.source`.execute(db);
    yield rows;
    upTo = after;
    if (rows.length < FEW) spanMs = Math.min(LONGEST_SPAN_MS, spanMs * 2);
    if (rows.length > MANY) spanMs = Math.max(SHORTEST_SPAN_MS, Math.floor(spanMs / 2));
  }
}
