import { sql } from 'kysely';

import { CANDLES_1H, CANDLES_1M } from '#features/market/server/market/schema.ts';
import { readCandleRows, rollUp } from '#features/market/server/market/store/candles.ts';
import { type Connection, type Db, openDatabase } from '#kernel/db.ts';
import { createPartitions, type PartitionedTable } from '#kernel/partitions.ts';

import { type Benchmark, type Context, interleave } from './benchmark.ts';
import { startDatabases } from './support/child.ts';

/** Late in the day: today's partition is nearly full, and the day being rolled up has most of its hours. */
const NOW = new Date('2026-11-20T22:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SMALL = 10_000;
const ALL_COINS = 250;
const PAGE_MINUTES = 1440;
const CHART_HOURS = 720;
const ROLLED_MINUTES = 120;

type Table = PartitionedTable & { stepMs: number; minutes: number };
const MINUTES: Table = { ...CANDLES_1M, stepMs: MINUTE_MS, minutes: 1 };
const HOURS: Table = { ...CANDLES_1H, stepMs: HOUR_MS, minutes: 60 };

type History = { db: Db; coins: number; rows: number };

/** In the order of the product's writes: all coins of a minute, then the next minute. One statement per partition. */
async function fill(db: Db, { table, every, stepMs, minutes }: Table, coins: number, rows: number): Promise<void> {
  const from = new Date(NOW.getTime() - Math.floor(rows / coins) * stepMs);
  await createPartitions(db).ensure({ table, every }, from, NOW);
  const partitions = await sql<{ name: string; lower: string; upper: string }>`
    select c.relname as name, b.bounds[1]::timestamptz as lower, b.bounds[2]::timestamptz as upper
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM [(]'(.*)'[)] TO [(]'(.*)'[)]$$) as b (bounds)
    where i.inhparent = ${table}::regclass order by 1`.execute(db);
  for (const { name, lower, upper } of partitions.rows) {
    await sql`insert into ${sql.table(name)}
        (coin_key, at, open, high, low, close, volume, minutes, source, fetched_at, method)
      select k, t, 100 + k, 101 + k, 99 + k, 100.5 + k, 1e6, ${sql.lit(minutes)}, 'okx', t, 'stream'
      from generate_series(greatest(${lower}::timestamptz, ${from.toISOString()}::timestamptz),
          least(${upper}::timestamptz, ${NOW.toISOString()}::timestamptz) - interval '1 ms',
          make_interval(secs => ${stepMs / 1000})) t,
        generate_series(1, ${sql.lit(coins)}) k`.execute(db);
  }
  await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

async function createHistory(
  context: Context,
  connection: Connection,
  coins: Record<'minutes' | 'hours', number>,
  rows: number,
): Promise<History> {
  const { db, close } = openDatabase(connection, () => undefined, 1);
  context.cleanUp(close);
  const maxCoins = Math.max(coins.minutes, coins.hours);
  await sql`insert into coins (id, symbol, name, updated_at)
    select 'coin-' || k, 'C' || k, 'Coin ' || k, ${NOW.toISOString()} from generate_series(1, ${maxCoins}) k`.execute(
    db,
  );
  await fill(db, MINUTES, coins.minutes, rows);
  await fill(db, HOURS, coins.hours, rows);
  await sql`vacuum analyze coins`.execute(db);
  return { db, coins: Math.min(coins.minutes, coins.hours), rows };
}

const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Another coin each time, so that no result is warm from the previous read. */
function chart({ db, coins }: History, table: 'candles_1m' | 'candles_1h', spanMs: number, binMinutes: number) {
  let round = 0;
  return async (): Promise<number> => {
    round++;
    let expected = 0;
    const ms = await timeMs(async () => {
      const series = await readCandleRows(db, table, (round % coins) + 1, new Date(NOW.getTime() - spanMs), binMinutes);
      expected = series.candles.length;
    });
    const bins = spanMs / (binMinutes * MINUTE_MS);
    if (expected < bins) throw new Error(`${table}: ${expected} candles of ${bins}`);
    return ms;
  };
}

/** The work of market.rollup every minute, for each coin. */
const measureRollUp = ({ db, coins }: History) => {
  const from = new Date(NOW.getTime() - ROLLED_MINUTES * MINUTE_MS);
  return async (): Promise<number> => {
    const ms = await timeMs(async () => {
      await rollUp(db, { from: 'candles_1m', to: 'candles_1h', unit: 'hour' }, from, NOW);
      await rollUp(db, { from: 'candles_1h', to: 'candles_1d', unit: 'day' }, from, NOW);
    });
    return (ms * 1000) / coins;
  };
};

async function run(context: Context): Promise<void> {
  const rows = context.ci ? 1_000_000 : 10_000_000;
  const makeDatabase = await startDatabases(context);
  const smallCoins = { minutes: Math.ceil(SMALL / PAGE_MINUTES), hours: Math.ceil(SMALL / CHART_HOURS) };
  const rollUpCoins = Math.ceil(SMALL / ROLLED_MINUTES);
  const small = await createHistory(context, await makeDatabase('small'), smallCoins, smallCoins.hours * CHART_HOURS);
  const recent = { minutes: rollUpCoins, hours: rollUpCoins };
  const smallForRollUp = await createHistory(
    context,
    await makeDatabase('recent'),
    recent,
    rollUpCoins * ROLLED_MINUTES,
  );
  const startedAt = performance.now();
  const all = { minutes: ALL_COINS, hours: ALL_COINS };
  const large = await createHistory(context, await makeDatabase('large'), all, rows);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  context.note(
    `history: ${rows / 1e6} M minutes and as many hours of ${ALL_COINS} coins, made in ${seconds} s, against ${SMALL / 1000} k`,
  );

  const compare = async (
    name: string,
    unit: string,
    rounds: number,
    atMost: number,
    sides: (() => Promise<number>)[],
  ) => {
    const [subject, baseline] = sides as [() => Promise<number>, () => Promise<number>];
    for (let i = 0; i < 10; i++) await interleave(1, subject, baseline);
    const reading = await interleave(rounds, subject, baseline);
    context.emit({
      name,
      n: rows,
      unit,
      subject: reading.subject,
      baseline: reading.baseline,
      ratio: reading.subject / reading.baseline,
      goal: { atMost },
    });
  };
  const page = (history: History) => chart(history, 'candles_1m', DAY_MS, 5);
  const month = (history: History) => chart(history, 'candles_1h', 30 * DAY_MS, 240);
  await compare('history.page', 'ms/24 h chart', 500, 2, [page(large), page(small)]);
  await compare('history.ohlc.30d', 'ms/30 d chart', 500, 3, [month(large), month(small)]);
  await compare('history.ohlc.rollup', 'us/coin rolled up', 40, 3, [
    measureRollUp(large),
    measureRollUp(smallForRollUp),
  ]);
}

export const history: Benchmark = { names: ['history.page', 'history.ohlc'], run };
