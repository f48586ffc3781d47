import {
  type AiAnalysis,
  type CollectionStep,
  collectionTopic,
  demoHistoryTopic,
  type PriceRange,
} from '#features/analysis/contract/analysis.ts';
import {
  type Direction,
  HORIZONS,
  type Horizon,
  type Probabilities,
  recordTopic,
} from '#features/analysis/contract/predictions.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';
import { linearPool } from '#features/analysis/server/predictions/service.ts';
import type { CoinRange, CoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { errorMessage } from '#kernel/errors.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { createTopicCache } from '#kernel/shared-cache.ts';

import { type AnalystDeps, createAnalysts } from './analysts.ts';
import { directionOf } from './answer.ts';
import type { AnalysisContext } from './context.ts';
import { LOCAL } from './local/analyst.ts';
import {
  coinDayRanges,
  createCoinRanges,
  type DayRange,
  readAssetRanges,
  readCoinRanges,
  trackedSymbol,
} from './service/coin-ranges.ts';
import { composeAnalysis } from './service/compose.ts';
import { demoPastWritten, writeDemoPast } from './service/demo-past.ts';
import { hasReplay, readReplay, runReplay } from './service/replay.ts';
import { readyAt, runAnalysis } from './service/run.ts';
import { analysesBefore, findAnalysis, lastIssuedAt, poolsBetween, readFirstDailyRanges } from './store.ts';
import type { ModelReply, Question } from './types.ts';

/** The view of the whole market in one analysis. `at` in ms since epoch. */
export type PastDirections = { at: number; short: Direction; medium: Direction; long: Direction; overall: Direction };

/**
 * The current analysis at each moment one was issued, oldest first: one without any model's response counts only before
 * the first that has one.
 */
async function pastDirections(ctx: AnalysisContext, from: Date, to: Date): Promise<PastDirections[]> {
  let hasStanding = false;
  const rows = (await poolsBetween(ctx.db, LOCAL.id, from, to)).filter(({ stands }) => {
    hasStanding ||= stands;
    return stands || !hasStanding;
  });
  return rows.map(({ issued_at, pools }) => {
    const of = (horizon: Horizon): Probabilities => pools[HORIZONS.indexOf(horizon)] as Probabilities;
    return {
      at: Date.parse(issued_at),
      short: directionOf(of('7d')),
      medium: directionOf(of('28d')),
      long: directionOf(of('180d')),
      overall: directionOf(linearPool(pools) as Probabilities),
    };
  });
}

const DAY_MS = 86_400_000;

const DAY_RANGES = { provider: LOCAL.id, horizon: '24h' } as const;

const floorToDay = (at: Date) => Math.floor(at.getTime() / DAY_MS) * DAY_MS;

export { toPredictionSet } from './service/compose.ts';

export type { Question } from './types.ts';

/** An analyst's answer to a question; null when there was none. */
export type AnalystAnswer = { analyst: string; name: string; reply: ModelReply | null };

type Elsewhere = Omit<AnalystDeps, 'mode' | 'onUnusable'>;

export type Analysis = {
  ctx: AnalysisContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** The newest analysis; null before the first. */
  current: () => AiAnalysis | null;
  /** Percent of the demo's history written so far; null in live mode and once complete. */
  preparing: () => number | null;
  onPreparing: (handler: () => void) => void;
  /** The analysis current at a moment. */
  at: (moment: Date) => Promise<AiAnalysis | null>;
  /** All analyses, newest first, before the given one. Without `providers` there was no response. */
  before: (id: string | null, most: number) => Promise<AiAnalysis[]>;
  /** The directions of each analysis between two moments, oldest first. */
  directions: (from: Date, to: Date) => Promise<PastDirections[]>;
  /**
   * The first 24h range of the built-in analyst for a coin on the newest day with one (UTC); null once it has ended.
   */
  openRange: (coinId: string) => DayRange | null;
  /** The first 24h range for a coin of each day (UTC) between two moments, oldest first. */
  dayRanges: (coinId: string, from: Date, to: Date) => Promise<DayRange[]>;
  /** Asks all analysts now and freezes their answers. */
  run: (signal: AbortSignal) => Promise<void>;
  /**
   * Asks all available analysts a question of another feature, or with `one` until one has answered. `elsewhere` asks
   * at another time, as in a simulated past.
   */
  ask: (
    question: Question,
    signal: AbortSignal,
    how?: { one?: boolean; elsewhere?: Elsewhere },
  ) => Promise<AnalystAnswer[]>;
  /** Demo only: writes the record of the simulated past; false while that past is not available yet. */
  writePast: (signal: AbortSignal) => Promise<boolean>;
  /** Live mode: replays the built-in analyst over the stored past once enough was added since the last time. */
  replay: (signal: AbortSignal) => Promise<void>;
  hasReplay: () => Promise<boolean>;
  /** Grades the daily ranges that have ended and issues today's. */
  makeCoinRanges: (signal: AbortSignal) => Promise<void>;
  /** Hit rate of the ranges of all coins. */
  coinRangesRecord: () => CoinRangesRecord;
  /** The latest ranges of a coin; empty if it has none. */
  coinRanges: (coinId: string) => Promise<CoinRange[]>;
  /** The newest replay; null without one. */
  currentReplay: () => Replay | null;
  /** Prices and their history are available. */
  isReady: () => Promise<boolean>;
  lastIssuedAt: () => Promise<Date | null>;
  /** Runs one step of a collection and publishes its progress. */
  step: (step: CollectionStep, run: () => Promise<unknown>) => Promise<void>;
};

/** The analysts, their latest answers, and running them. */
export function createAnalysis(ctx: AnalysisContext): Analysis {
  const { db, config, mode, now, live, sources } = ctx;
  const analysts = createAnalysts({
    config,
    mode,
    now,
    clientOf: sources.client,
    onUnusable: (source, error) => sources.failed(source, error),
  });

  async function at(moment: Date): Promise<AiAnalysis | null> {
    const stored = await findAnalysis(db, moment, LOCAL.id);
    return stored ? composeAnalysis(stored, analysts, mode) : null;
  }
  const current = createTopicCache<AiAnalysis | null>({ live, topic: recordTopic, first: null, read: () => at(now()) });

  const replay = createTopicCache<Replay | null>({
    live,
    topic: recordTopic,
    first: null,
    read: () => readReplay(ctx),
  });

  const dayRanges = createTopicCache<PriceRange[]>({
    live,
    topic: recordTopic,
    first: [],
    read: () => readFirstDailyRanges(db, DAY_RANGES, new Date(floorToDay(now()) - DAY_MS), now()),
  });

  const coinRanges = createCoinRanges(ctx);

  const preparing = createTopicCache<number | null>({
    live,
    topic: demoHistoryTopic,
    first: null,
    read: () => demoPastWritten(ctx),
  });

  const caches = [current, replay, dayRanges, ...coinRanges.caches, preparing];

  return {
    ctx,
    async start() {
      await Promise.all(caches.map((cache) => cache.start()));
    },
    async reload() {
      await Promise.all(caches.map((cache) => cache.reload()));
    },
    onChange: current.onChange,
    onPreparing: preparing.onChange,
    current: current.get,
    preparing: preparing.get,
    at,
    // For an earlier analysis only the analysts asked then count.
    before: async (id, most) => (await analysesBefore(db, id, most)).map((each) => composeAnalysis(each, [], mode)),
    directions: (from, to) => pastDirections(ctx, from, to),
    openRange(coinId) {
      const symbol = trackedSymbol(coinId);
      const range = symbol
        ? dayRanges.get().findLast(({ crypto_symbol }) => crypto_symbol === symbol)
        : coinRanges.openOf(coinId);
      return range && now().getTime() < Date.parse(range.issued_at) + DAY_MS ? range : null;
    },
    async dayRanges(coinId, from, to) {
      const symbol = trackedSymbol(coinId);
      if (!symbol) return coinDayRanges(db, coinId, from, to);
      const ranges = await readFirstDailyRanges(db, DAY_RANGES, new Date(floorToDay(from)), to);
      return ranges.filter(({ crypto_symbol }) => crypto_symbol === symbol);
    },
    run: (signal) => runAnalysis(ctx, analysts, signal),
    async ask(question, signal, { one = false, elsewhere } = {}) {
      const available = (elsewhere ? createAnalysts({ ...elsewhere, mode }) : analysts).filter(
        ({ keyName }) => keyName === null,
      );
      const askAnalyst = async ({ id, name, complete }: (typeof available)[number]): Promise<AnalystAnswer> => {
        const reply = await complete(question, signal).catch((error: unknown) => {
          if (!(error instanceof SourceError)) throw error;
          return null;
        });
        return { analyst: id, name, reply };
      };
      if (!one) return Promise.all(available.map(askAnalyst));
      for (const analyst of available) {
        const answer = await askAnalyst(analyst);
        if (answer.reply) return [answer];
      }
      return [];
    },
    writePast: (signal) => writeDemoPast(ctx, signal),
    replay: (signal) => runReplay(ctx, signal),
    hasReplay: () => hasReplay(ctx),
    makeCoinRanges: (signal) => coinRanges.make(signal),
    coinRangesRecord: coinRanges.record,
    async coinRanges(coinId) {
      const symbol = trackedSymbol(coinId);
      if (!symbol) return readCoinRanges(ctx, coinId);
      return readAssetRanges(ctx, symbol, { analysis: current.get(), replay: replay.get()?.record });
    },
    currentReplay: replay.get,
    isReady: async () => (await readyAt(ctx, now())) !== null,
    lastIssuedAt: () => lastIssuedAt(db),
    async step(step, run) {
      const publishStep = (state: 'running' | 'complete' | 'failed', note: string | null = null) =>
        live.publish(collectionTopic, { at: now().getTime(), step, state, note });
      await publishStep('running');
      try {
        await run();
        await publishStep('complete');
      } catch (error) {
        await publishStep('failed', errorMessage(error));
        throw error;
      }
    },
  };
}
