import type { AiAnalysis, PriceRange } from '#features/analysis/contract/analysis.ts';
import { type Backtest, recordTopic } from '#features/analysis/contract/predictions.ts';
import { COIN_HORIZONS, type CoinRange, type CoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { Connection, Db } from '#kernel/db.ts';
import { createTopicCache } from '#kernel/shared-cache.ts';
import type { Provenance } from '#shared/provenance.ts';
import type { AnalysisContext } from '../context.ts';
import { LOCAL, MODEL, VERSION } from '../local/analyst.ts';
import type { CoinRangesTask } from '../local/coin-ranges-worker.ts';
import {
  coinsWithDays,
  countCoins,
  type Graded,
  gradeCoinRanges,
  newestCoinRanges,
  readDayRanges,
  readGraded,
  readReplays,
  type StoredDayRange,
} from '../store/coin-ranges.ts';
import { inThread } from './replay.ts';
import { PAST_DAYS } from './run.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** With fewer, the model gives no range. */
const FEWEST_DAYS = 40;
/** Simulated prices prove nothing, so the demo has no replay. */
const REPLAY_DAYS = { live: 365, demo: 0 };
/** With V8's own limits, a replay of 250 coins takes 200 MB more: almost all of it is short-lived. */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };
/** An older range says little about the current price. */
const SHOWN_FOR_MS = 2 * DAY_MS;

/** The next ones are issued a day later. */
const FRESH_MS = DAY_MS + 2 * HOUR_MS;

export const trackedSymbol = (coinId: string) => TRACKED.find(({ id }) => id === coinId)?.symbol;

/**
 * Grades the ranges that have ended and issues today's for each coin that has enough history and none yet. Returns the
 * coins that got none and takes what it returned last: they are not retried until the list changes.
 */
async function runCoinRanges(ctx: AnalysisContext, skipped: string, signal: AbortSignal): Promise<string> {
  const now = ctx.now();
  await gradeCoinRanges(ctx.db, now);
  const day = Math.floor(now.getTime() / DAY_MS) * DAY_MS - DAY_MS;
  const read = async () =>
    (await coinsWithDays(ctx.db, new Date(day), FEWEST_DAYS)).map((coin) => ({
      ...coin,
      isForecastElsewhere: trackedSymbol(coin.id) !== undefined,
    }));
  const without = (all: Awaited<ReturnType<typeof read>>) =>
    all.filter(({ hasRange, isForecastElsewhere }) => !hasRange && !isForecastElsewhere).map(({ id }) => id);
  const coins = await read();
  const wanted = without(coins);
  if (wanted.length === 0 || [day, ...wanted].join(' ') === skipped) return skipped;
  const task: CoinRangesTask = {
    connection: (await ctx.reads.connections()).at(-1) as Connection,
    coins,
    day,
    from: day - PAST_DAYS * DAY_MS,
    now: now.getTime(),
    version: VERSION,
    replayDays: REPLAY_DAYS[ctx.mode],
  };
  await inThread<number>('coin-ranges-worker.ts', task, { signal, resourceLimits: MEMORY });
  return [day, ...without(await read())].join(' ');
}

const toCoverage = ({ n, held_80, held_95 }: Graded) => ({ n, coverage_80: held_80 / n, coverage_95: held_95 / n });

const toProvenance = ({ mode }: AnalysisContext, from: string, made: string): Provenance => ({
  source: LOCAL.name,
  observedAt: from,
  fetchedAt: made,
  method: mode === 'demo' ? 'demo' : 'computed',
  staleAfter: new Date(Date.parse(from) + FRESH_MS).toISOString(),
});

/** The latest ranges of a coin by the built-in analyst, and the hit rate of earlier ones; empty if it has none. */
export async function readCoinRanges(ctx: AnalysisContext, coinId: string): Promise<CoinRange[]> {
  const [rows, graded, replays] = await Promise.all([
    newestCoinRanges(ctx.db, coinId, new Date(ctx.now().getTime() - SHOWN_FOR_MS)),
    readGraded(ctx.db, coinId),
    readReplays(ctx.db, coinId),
  ]);
  return COIN_HORIZONS.flatMap((horizon): CoinRange[] => {
    const row = rows.find((each) => each.horizon === horizon);
    if (!row) return [];
    const [record, replay] = [graded, replays].map((all) => all.find((each) => each.horizon === horizon));
    return [
      {
        horizon,
        issued_at: row.made_at,
        starts_at: row.starts_at,
        price: row.price,
        range_80: { low: row.low_80, high: row.high_80 },
        range_95: { low: row.low_95, high: row.high_95 },
        record: record ? toCoverage(record) : null,
        replay: replay ? toCoverage(replay) : null,
        meta: toProvenance(ctx, row.starts_at, row.made_at),
      },
    ];
  });
}

export type DayRange = Pick<PriceRange, 'issued_at' | 'price' | 'range_80'>;

const dayRange = ({ made_at, price, low, high }: StoredDayRange): DayRange => ({
  issued_at: made_at,
  price,
  range_80: { low, high },
});

/** The 24h ranges that are open now, by coin. */
async function openCoinRanges({ db, now }: AnalysisContext): Promise<ReadonlyMap<string, DayRange>> {
  const rows = await readDayRanges(db, null, new Date(now().getTime() - DAY_MS), now());
  return new Map(rows.map((row) => [row.id, dayRange(row)]));
}

/** The 24h ranges of a coin of each day (UTC) that begins between two moments, oldest first. */
export const coinDayRanges = async (db: Db, coinId: string, from: Date, to: Date): Promise<DayRange[]> =>
  (await readDayRanges(db, coinId, from, to)).map(dayRange);

async function readOverallRecord({ db, now }: AnalysisContext): Promise<CoinRangesRecord> {
  const [coins, graded, replays] = await Promise.all([
    countCoins(db, new Date(now().getTime() - SHOWN_FOR_MS)),
    readGraded(db, null),
    readReplays(db, null),
  ]);
  const horizons = COIN_HORIZONS.map((horizon) => {
    const [record, replay] = [graded, replays].map((all) => all.find((each) => each.horizon === horizon));
    return { horizon, record: record ? toCoverage(record) : null, replay: replay ? toCoverage(replay) : null };
  });
  return { timestamp: now().toISOString(), coins, horizons: coins === 0 ? [] : horizons };
}

/** Issues the ranges, and caches them in this process. */
export function createCoinRanges(ctx: AnalysisContext) {
  const { live } = ctx;
  let skipped = '';
  const open = createTopicCache<ReadonlyMap<string, DayRange>>({
    live,
    topic: recordTopic,
    first: new Map(),
    read: () => openCoinRanges(ctx),
  });
  const record = createTopicCache<CoinRangesRecord>({
    live,
    topic: recordTopic,
    first: { timestamp: ctx.now().toISOString(), coins: 0, horizons: [] },
    read: () => readOverallRecord(ctx),
  });
  return {
    caches: [open, record],
    openOf: (coinId: string) => open.get().get(coinId),
    record: record.get,
    async make(signal: AbortSignal): Promise<void> {
      const before = skipped;
      skipped = await runCoinRanges(ctx, before, signal);
      if (skipped !== before) await live.publish(recordTopic, { at: ctx.now().getTime() });
    },
  };
}

const coverageIn = (record: Backtest | undefined, horizon: string) => {
  const found = record?.cells.find(
    (cell) => cell.provider === LOCAL.id && cell.model === MODEL && cell.horizon === horizon,
  )?.ranges;
  return found ? { n: found.n, coverage_80: found.coverage_80, coverage_95: found.coverage_95 } : null;
};

/** The same for one of the five assets, whose ranges are frozen with each analysis. */
export function readAssetRanges(
  ctx: AnalysisContext,
  symbol: string,
  { analysis, replay }: { analysis: AiAnalysis | null; replay: Backtest | undefined },
): CoinRange[] {
  const record = ctx.predictions.record();
  return COIN_HORIZONS.flatMap((horizon): CoinRange[] => {
    const found = analysis?.ranges.find(
      (range) => range.provider === LOCAL.id && range.crypto_symbol === symbol && range.horizon === horizon,
    );
    if (!found) return [];
    const { issued_at, price, range_80, range_95 } = found;
    return [
      {
        horizon,
        issued_at,
        starts_at: issued_at,
        price,
        range_80,
        range_95,
        record: coverageIn(record, horizon),
        replay: coverageIn(replay, horizon),
        meta: toProvenance(ctx, issued_at, issued_at),
      },
    ];
  });
}
