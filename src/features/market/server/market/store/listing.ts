import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import type { BoardCoin, BoardQuote } from '../board.ts';
import type { KnownCoin, Listing } from '../types.ts';

const isBetterSupply = sql<boolean>`excluded.circulating_supply is not null
  and (excluded.supply_method = 'measured' or coins.supply_method is distinct from 'measured')`;

/** Stores a whole price list in one transaction: coins, last quotes, observations and sparklines. */
export async function saveListing(
  db: Db,
  listing: Listing,
  options: { complete: boolean; finishedAt: Date; observationsFrom: Date },
): Promise<void> {
  const fetched_at = listing.fetchedAt.toISOString();
  const { source, method, coins, supplyMethod } = listing;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('coins')
      .values(
        coins.map((coin) => ({
          id: coin.id,
          symbol: coin.symbol,
          name: coin.name,
          rank: coin.rank,
          circulating_supply: coin.circulating_supply,
          supply_method: coin.circulating_supply === null ? null : supplyMethod,
          max_supply: coin.max_supply,
          listed: true,
          updated_at: fetched_at,
        })),
      )
      .onConflict((oc) =>
        oc.column('id').doUpdateSet((eb) => ({
          symbol: eb.ref('excluded.symbol'),
          name: eb.ref('excluded.name'),
          rank: eb.ref('excluded.rank'),
          // A published supply is replaced only by a published one.
          circulating_supply: sql<number>`case when ${isBetterSupply} then excluded.circulating_supply else coins.circulating_supply end`,
          supply_method: sql<'measured'>`case when ${isBetterSupply} then excluded.supply_method else coins.supply_method end`,
          max_supply: sql<number>`coalesce(excluded.max_supply, coins.max_supply)`,
          listed: eb.ref('excluded.listed'),
          updated_at: eb.ref('excluded.updated_at'),
        })),
      )
      .execute();
    if (options.complete) {
      const ids = coins.map((coin) => coin.id);
      await tx
        .updateTable('coins')
        .set({ listed: false })
        .where('listed', '=', true)
        .where('id', 'not in', ids)
        .execute();
    }
    await tx
      .insertInto('coin_quotes')
      .values(
        coins.map((coin) => ({
          coin_id: coin.id,
          source,
          price: coin.price,
          change_24h: coin.change_24h,
          change_7d: coin.change_7d,
          low_24h: coin.low_24h,
          high_24h: coin.high_24h,
          volume_24h: coin.volume_24h,
          market_cap: coin.market_cap,
          observed_at: coin.observedAt.toISOString(),
          fetched_at,
          method,
        })),
      )
      .onConflict((oc) =>
        oc.columns(['coin_id', 'source']).doUpdateSet((eb) => ({
          price: eb.ref('excluded.price'),
          change_24h: eb.ref('excluded.change_24h'),
          change_7d: eb.ref('excluded.change_7d'),
          low_24h: eb.ref('excluded.low_24h'),
          high_24h: eb.ref('excluded.high_24h'),
          volume_24h: eb.ref('excluded.volume_24h'),
          market_cap: eb.ref('excluded.market_cap'),
          observed_at: eb.ref('excluded.observed_at'),
          fetched_at: eb.ref('excluded.fetched_at'),
          method: eb.ref('excluded.method'),
        })),
      )
      .execute();
    await sql`insert into price_observations
        (coin_key, observed_at, source, price, change_24h, volume_24h, market_cap, fetched_at, method)
      select c.key, q.observed_at, q.source, q.price, q.change_24h, q.volume_24h, q.market_cap, q.fetched_at, q.method
      from coin_quotes q join coins c on c.id = q.coin_id
      where q.source = ${source} and q.fetched_at = ${fetched_at}
        and q.observed_at >= ${options.observationsFrom.toISOString()}
      on conflict do nothing`.execute(tx);
    const withSparkline = coins.filter((coin) => coin.sparkline);
    if (withSparkline.length > 0) {
      await tx
        .insertInto('sparklines')
        .values(
          withSparkline.map((coin) => ({
            coin_id: coin.id,
            points: coin.sparkline ?? [],
            source,
            observed_at: coin.observedAt.toISOString(),
            fetched_at,
            method,
          })),
        )
        .onConflict((oc) =>
          oc.column('coin_id').doUpdateSet((eb) => ({
            points: eb.ref('excluded.points'),
            source: eb.ref('excluded.source'),
            observed_at: eb.ref('excluded.observed_at'),
            fetched_at: eb.ref('excluded.fetched_at'),
            method: eb.ref('excluded.method'),
          })),
        )
        .execute();
    }
    await tx
      .insertInto('collections')
      .values({ kind: 'listing', finished_at: options.finishedAt.toISOString() })
      .execute();
  });
}

export async function listedCoins(db: Db): Promise<BoardCoin[]> {
  return db
    .selectFrom('coins')
    .select(['id', 'symbol', 'name', 'rank', 'circulating_supply'])
    .where('listed', '=', true)
    .execute();
}

export async function lastQuotes(db: Db): Promise<BoardQuote[]> {
  const rows = await db
    .selectFrom('coin_quotes')
    .innerJoin('coins', 'coins.id', 'coin_quotes.coin_id')
    .selectAll('coin_quotes')
    .where('coins.listed', '=', true)
    .execute();
  return rows.map(toQuote);
}

export async function readQuotes(db: Db, coinId: string): Promise<BoardQuote[]> {
  const rows = await db.selectFrom('coin_quotes').selectAll().where('coin_id', '=', coinId).execute();
  return rows.map(toQuote);
}

type QuoteRow = Omit<BoardQuote, 'coinId' | 'observedAt' | 'fetchedAt'> & {
  coin_id: string;
  observed_at: string;
  fetched_at: string;
};

function toQuote({ coin_id, observed_at, fetched_at, ...figures }: QuoteRow): BoardQuote {
  return { ...figures, coinId: coin_id, observedAt: Date.parse(observed_at), fetchedAt: Date.parse(fetched_at) };
}

/** Every coin ever seen with its last known price, highest rank first: targets for matching other sources' quotes. */
export async function knownCoins(db: Db): Promise<KnownCoin[]> {
  const { rows } = await sql<KnownCoin>`select c.id, c.symbol, c.name, c.circulating_supply,
      (select q.price from coin_quotes q where q.coin_id = c.id order by q.observed_at desc limit 1) as price
    from coins c order by c.listed desc, c.rank nulls last, c.id`.execute(db);
  return rows;
}

export async function lastCollectionAt(db: Db, kind: string, at?: Date): Promise<string | null> {
  const row = await db
    .selectFrom('collections')
    .select('finished_at')
    .where('kind', '=', kind)
    .$if(at !== undefined, (query) => query.where('finished_at', '<=', (at as Date).toISOString()))
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.finished_at ?? null;
}

export async function recordCollection(db: Db, kind: string, at: Date): Promise<void> {
  await db.insertInto('collections').values({ kind, finished_at: at.toISOString() }).execute();
}

export async function lastSparklineAt(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('sparklines')
    .select((eb) => eb.fn.max('fetched_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function sparklineRows(db: Db) {
  return db
    .selectFrom('sparklines')
    .innerJoin('coins', 'coins.id', 'sparklines.coin_id')
    .selectAll('sparklines')
    .where('coins.listed', '=', true)
    .execute();
}
