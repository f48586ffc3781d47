import { parentPort, workerData } from 'node:worker_threads';

import { HORIZON_DAYS } from '#features/analysis/contract/predictions.ts';
import { inUsd } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { type Connection, type Db, openDatabase } from '#kernel/db.ts';
import {
  type CoinKey,
  candlesBefore,
  insertCoinRanges,
  type NewCoinRange,
  replayedCoins,
  saveReplays,
} from '../store/coin-ranges.ts';
import { coinRanges, type DayRanges, type Held } from './coin-ranges.ts';
import { type CoinCandles, SETTINGS } from './volatility-model.ts';

const DAY_MS = 86_400_000;
/** The model is refitted as often; replaying 250 coins takes a minute. */
const REPLAY_EVERY_DAYS = SETTINGS.refitDays;
/** A replay is also due when this many times more coins have ranges. */
const MORE_COINS = 1.1;

export type CoinRangesTask = {
  connection: Connection;
  /** Whose candles are read, and which of them get no range here. */
  coins: (CoinKey & { isForecastElsewhere: boolean })[];
  /** The last completed day, ms since epoch. */
  day: number;
  from: number;
  now: number;
  version: string;
  replayDays: number;
};

const iso = (ms: number) => new Date(ms).toISOString();

const rowOf = ({ day, now, version }: CoinRangesTask, key: number, { horizon, price, ranges }: DayRanges) => {
  const [inner, outer] = [inUsd(ranges[80], price), inUsd(ranges[95], price)];
  return {
    coin_key: key,
    horizon,
    starts_at: iso(day + DAY_MS),
    ends_at: iso(day + DAY_MS + HORIZON_DAYS[horizon] * DAY_MS),
    made_at: iso(now),
    model_version: version,
    price,
    low_80: inner.low,
    high_80: inner.high,
    low_95: outer.low,
    high_95: outer.high,
  } satisfies NewCoinRange;
};

const replayOf = ({ now, version }: CoinRangesTask, key: number, { horizon, n, held80, held95 }: Held) => ({
  coin_key: key,
  horizon,
  made_at: iso(now),
  model_version: version,
  n,
  held_80: held80,
  held_95: held95,
});

async function candlesOf(db: Db, { coins, day, from }: CoinRangesTask): Promise<CoinCandles[]> {
  const all: CoinCandles[] = [];
  for (const { id, key } of coins)
    all.push({ coin: id, candles: await candlesBefore(db, key, new Date(from), new Date(day)) });
  return all;
}

/** Reads the candles of all coins, stores the ranges of the day and, when one is due, a replay. Returns how many coins have ranges. */
async function run(db: Db, task: CoinRangesTask): Promise<number> {
  const { coins, day, now, version, replayDays } = task;
  const stored = new Map(
    coins.filter(({ isForecastElsewhere }) => !isForecastElsewhere).map(({ id, key }) => [id, key]),
  );
  const ranges = coinRanges(await candlesOf(db, task));
  const rowsOf = <T extends { coin: string }, Row>(
    all: readonly T[],
    of: (task: CoinRangesTask, key: number, each: T) => Row,
  ) =>
    all.flatMap((each) => {
      const key = stored.get(each.coin);
      return key === undefined ? [] : [of(task, key, each)];
    });
  const today = rowsOf(ranges.on(day / DAY_MS), rowOf);
  await insertCoinRanges(db, today);
  const count = new Set(today.map(({ coin_key }) => coin_key)).size;
  if (replayDays === 0) return count;
  const replayed = await replayedCoins(db, version, new Date(now - REPLAY_EVERY_DAYS * DAY_MS));
  if (count > replayed * MORE_COINS) await saveReplays(db, rowsOf(ranges.replay(day / DAY_MS, replayDays), replayOf));
  return count;
}

// Fitting hundreds of coins takes seconds, so it has a thread and a connection of its own.
const task = workerData as CoinRangesTask;
const { db, close } = openDatabase(task.connection, () => undefined, 1);
try {
  parentPort?.postMessage(await run(db, task));
} finally {
  await close();
}
