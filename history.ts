import { sql } from 'kysely';

import { candlesOf } from '#features/market/server/store/candles.ts';
import { type Database, openDatabase } from '#server/platform/db.ts';

import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { startDatabases } from './support/database.ts';
import { END, loadCandles, loadObservations, OBSERVED_EVERY_SECONDS, type Size } from './support/history-rows.ts';

const ROUNDS = 5;
const QUERIES = 40;
const PAGE = 100;
const YEAR_MS = 365 * 86_400_000;

type Query = (database: Database, coinKey: number, size: Size) => Promise<number>;

/** The newest page, or the page behind a row, as keyset paging asks for it. */
async function readPage({ db }: Database, coinKey: number, before: Date): Promise<number> {
  const { rows } = await sql`select observed_at, source, price, change_24h, volume_24h, market_cap, fetched_at, method
    from price_observations where coin_key = ${coinKey} and observed_at < ${before.toISOString()}
    order by observed_at desc, source desc limit ${PAGE}`.execute(db);
  return rows.length;
}

const latestPage: Query = (database, coinKey) => readPage(database, coinKey, END);

const deepPage: Query = (database, coinKey, size) => {
  const halfWay = (size.observationsPerCoin >> 1) * OBSERVED_EVERY_SECONDS * 1000;
  return readPage(database, coinKey, new Date(END.getTime() - halfWay));
};

const yearOfCandles: Query = async ({ db }, coinKey) => {
  const { candles } = await candlesOf(db, 'candles_1d', coinKey, new Date(END.getTime() - YEAR_MS), 1440);
  return candles.length;
};

async function medianMs(
  query: Query,
  database: Database,
  size: Size,
  coins: number,
  expected: number,
): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const coinKey = 1 + ((i * 7919 + times.length * 31) % coins);
    const began = performance.now();
    const rows = await query(database, coinKey, size);
    times.push(performance.now() - began);
    if (rows !== expected) throw new Error(`${rows} rows instead of ${expected}`);
  }
  return median(times);
}

const SMALL: Size = { observationsPerCoin: 200, observedCoins: 50, candleDays: 365, candleCoins: 27 };
const LARGE: Size = { observationsPerCoin: 40_000, observedCoins: 250, candleDays: 1825, candleCoins: 5480 };
const LARGE_IN_CI: Size = { observationsPerCoin: 4000, observedCoins: 250, candleDays: 1825, candleCoins: 548 };

async function run(context: Context): Promise<void> {
  const large = context.ci ? LARGE_IN_CI : LARGE;
  const makeDatabase = await startDatabases(context);
  const open = async (name: string, size: Size) => {
    const database = openDatabase(await makeDatabase(name), (error) => context.note(error.message));
    context.cleanUp(() => database.close());
    const began = performance.now();
    await loadObservations(database.db, size);
    await loadCandles(database.db, size);
    context.note(`${name}: loaded in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return database;
  };
  const [few, many] = [await open('few', SMALL), await open('many', large)];

  async function compare(name: string, query: Query, coins: (size: Size) => number, rows: number, atMost: number) {
    const time = (database: Database, size: Size) => () => medianMs(query, database, size, coins(size), rows);
    const [ours, base] = [time(many, large), time(few, SMALL)];
    await ours();
    await base();
    const { subject, baseline, ratio } = await interleave(ROUNDS, ours, base);
    const n = name.startsWith('history.page')
      ? large.observationsPerCoin * large.observedCoins
      : large.candleDays * large.candleCoins;
    context.emit({ name, n, unit: 'ms', subject, baseline, ratio, goal: { atMost } });
  }
  await compare('history.page.latest', latestPage, (size) => size.observedCoins, PAGE, 2);
  await compare('history.page.deep', deepPage, (size) => size.observedCoins, PAGE, 2);
  await compare('history.ohlc', yearOfCandles, (size) => size.candleCoins, 365, 3);
}

export const history: Benchmark = { names: ['history.page', 'history.ohlc'], run };
