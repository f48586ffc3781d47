import { type Kysely, sql } from 'kysely';
import type { MarketContext } from '#features/market/server/market/context.ts';
import { createTickIntake } from '#features/market/server/market/service/ticks.ts';
import type { VenueTick } from '#features/market/server/market/types.ts';
import type { Connection } from '#kernel/db.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { openProduct, startFilledDatabase } from './support/product.ts';

const MINUTE_MS = 60_000;
const MOVES = [0.9998, 1.0003, 0.9995, 1.0004];

async function prepareBare(db: Kysely<never>): Promise<void> {
  for (const table of ['candles_1m', 'coin_quotes', 'price_observations'])
    await sql`create table ${sql.table(`bare_${table}`)} (like ${sql.table(table)} including all)`.execute(db);
}

/** One minute of ticks for every coin: ingested, sent to every process, stored with candle and observation. */
function createTicks(ctx: MarketContext, advance: (ms: number) => void) {
  const intake = createTickIntake(ctx);
  const coins = ctx.board.coins();
  let step = 0;
  return async () => {
    advance(MINUTE_MS);
    step++;
    const ticks = coins.map(({ id, symbol }, i): VenueTick => {
      const price = (ctx.board.priceOf(id)?.price ?? 1) * (MOVES[(step + i) % MOVES.length] as number);
      return { symbol, quote: 'USD', price, observedAt: ctx.now() };
    });
    const startedAt = performance.now();
    const taken = intake.take('coinbase', ticks);
    await intake.publish();
    await intake.flush();
    const ms = performance.now() - startedAt;
    if (taken < coins.length * 0.9) throw new Error(`Only ${taken} of ${coins.length} ticks were taken`);
    return ms;
  };
}

/** The same rows as three plain multi-row inserts in one transaction. */
function createInserts({ db, board }: MarketContext) {
  let atMs = Date.UTC(2030, 0, 1);
  return async () => {
    atMs += MINUTE_MS;
    const at = new Date(atMs).toISOString();
    const figures = board.coins().map(({ id }, i) => ({ id, key: i, price: board.priceOf(id)?.price ?? 1 }));
    const birth = { source: 'coinbase', fetched_at: at, method: 'demo' };
    const candles = figures.map(({ key, price }) => ({
      coin_key: key,
      at,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: null,
      minutes: 1,
      ...birth,
    }));
    const quotes = figures.map(({ id, price }) => ({
      coin_id: `${id} ${atMs}`,
      price,
      change_24h: 1,
      market_cap: 1e9,
      observed_at: at,
      ...birth,
    }));
    const observations = figures.map(({ key, price }) => ({
      coin_key: key,
      observed_at: at,
      price,
      change_24h: 1,
      market_cap: 1e9,
      ...birth,
    }));
    const bare = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const startedAt = performance.now();
    await bare.transaction().execute(async (tx) => {
      await tx.insertInto('bare_candles_1m').values(candles).execute();
      await tx.insertInto('bare_coin_quotes').values(quotes).execute();
      await tx.insertInto('bare_price_observations').values(observations).execute();
    });
    return performance.now() - startedAt;
  };
}

async function run(context: Context): Promise<void> {
  const connection: Connection = await startFilledDatabase(context);
  const product = await openProduct({ connection, frozen: true });
  context.cleanUp(() => product.stop());
  const { ctx } = product.market;
  await prepareBare(ctx.db as unknown as Kysely<never>);
  const tick = createTicks(ctx, product.clock.advance);
  const insert = createInserts(ctx);
  for (let i = 0; i < 10; i++) {
    await tick();
    await insert();
  }
  const measured = await interleave(context.ci ? 30 : 100, tick, insert);
  context.emit({
    name: 'ingest.tick',
    n: ctx.board.size(),
    unit: 'ms/tick',
    subject: measured.subject,
    baseline: measured.baseline,
    ratio: measured.ratio,
    goal: { atMost: 2 },
  });
}

export const ingestTick: Benchmark = { names: ['ingest.tick'], run };
