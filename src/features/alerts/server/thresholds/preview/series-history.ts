import type { Grain, Preview } from '#features/alerts/contract/thresholds.ts';
import { blockBootstrap } from '#features/analysis/server/predictions/service.ts';
import { absentReason } from '#features/market/server/metrics/service.ts';
import type { Series } from '#kernel/packed-series.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { DIRECTION_VALUE, findWatched } from '#shared/watched.ts';

import type { ThresholdsContext } from '../context.ts';
import { STORED_METRICS, TERMS } from '../watching.ts';
import { dailyChanges, dailySigmas, lastAt, rangeDistances, within } from './derived.ts';

const HOUR_MS = 3_600_000;

/** Resolution of a series, from the typical distance of its values. */
function detectGrain(times: Float64Array, what: 'closes' | 'values'): Grain {
  const gaps = times.subarray(1).map((at, i) => at - (times[i] as number));
  const usual = gaps.toSorted()[Math.floor(gaps.length / 2)] ?? 24 * HOUR_MS;
  if (usual > 3 * HOUR_MS) return `daily ${what}`;
  return what === 'values' && usual < HOUR_MS / 2 ? 'collected values' : `hourly ${what}`;
}

const DAY_MS = 86_400_000;
const DAYS = 90;
/** A daily change normalised by the thirty days before needs more history than is shown. */
const PAST_DAYS = 125;
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 200;
const ANALYSES = 'Meridian';

/** Stored data of a series, 90 days by default. */
export type History = Series & { source: string; grain: Grain };
/** Why there is no data. */
export type Absence = { absent: string };

export type Histories = {
  /** `days`: length of history, 90 by default. */
  of: (series: string, days?: number) => Promise<History | Absence>;
};

/** A coin has one history, whatever name its price has. */
function canonical(name: string): string {
  const [metric = '', kind] = name.split('~');
  if (Object.hasOwn(STORED_METRICS, metric) || Object.hasOwn(TERMS, metric) || metric.startsWith(COIN_PREFIX))
    return name;
  const coin = COIN_PREFIX + (findWatched(metric)?.coinId ?? '');
  return kind ? `${coin}~${kind}` : coin;
}

export const isAbsent = (history: History | Absence): history is Absence => 'absent' in history;

/**
 * Stored history of every watchable series; cached for five minutes, and for metrics and analyses until the next
 * update.
 */
export function createHistories(ctx: ThresholdsContext): Histories {
  const cache = new Map<string, { until: number; history: Promise<History | Absence> }>();
  const drop = (isMeant: (metric: string, kind: string | undefined) => boolean) => {
    for (const key of cache.keys()) {
      const [metric = '', kind] = key.split('~');
      if (isMeant(metric, kind)) cache.delete(key);
    }
  };
  ctx.metrics.onChange(() => drop((metric) => Object.hasOwn(STORED_METRICS, metric)));
  for (const subscribe of [ctx.analysis.onChange, ctx.analysis.onPreparing])
    subscribe(() => drop((metric, kind) => Object.hasOwn(TERMS, metric) || kind === 'range'));

  async function base(metric: string, from: Date, to: Date): Promise<History | Absence> {
    if (Object.hasOwn(TERMS, metric)) return directions(metric as keyof typeof TERMS, from, to);
    if (Object.hasOwn(STORED_METRICS, metric)) {
      const stored = STORED_METRICS[metric as keyof typeof STORED_METRICS];
      // It is cached until the next update, so it must include the latest value.
      const past = await ctx.reads.answer((db) => ctx.metrics.over(db).series(stored, from, to), { fresh: true });
      return past ? { ...past, grain: detectGrain(past.times, 'values') } : { absent: absentReason(stored) };
    }
    const coinId = metric.slice(COIN_PREFIX.length);
    const closes = await ctx.reads.answer((db) => ctx.market.over(db).closes(coinId, from, to), { fresh: true });
    const { source, ...series } = closes;
    if (source === null) return { absent: 'History for this coin is still being collected' };
    return { ...series, source, grain: detectGrain(series.times, 'closes') };
  }

  async function directions(metric: keyof typeof TERMS, from: Date, to: Date): Promise<History | Absence> {
    const preparing = ctx.analysis.preparing();
    if (preparing !== null) return { absent: `Preparing demo history: ${preparing}%` };
    const past = await ctx.analysis.directions(from, to);
    if (past.length === 0) return { absent: 'No AI analysis yet' };
    return {
      times: Float64Array.from(past, ({ at }) => at),
      values: Float64Array.from(past, (each) => DIRECTION_VALUE[each[TERMS[metric]]]),
      source: ANALYSES,
      grain: 'analyses',
    };
  }

  /** A coin's closes compared with the ranges of their time. */
  async function distances(metric: string, past: History, from: number, to: Date): Promise<History | Absence> {
    const preparing = ctx.analysis.preparing();
    if (preparing !== null) return { absent: `Preparing demo history: ${preparing}%` };
    const ranges = await ctx.analysis.dayRanges(metric.slice(COIN_PREFIX.length), new Date(from - DAY_MS), to);
    if (ranges.length === 0) return { absent: 'The built-in analyst has not issued a range for this coin yet' };
    return { ...past, ...rangeDistances(past, ranges), source: `${past.source} vs. the built-in analyst’s ranges` };
  }

  async function read(name: string, days: number): Promise<History | Absence> {
    const [metric = '', kind] = name.split('~');
    const to = ctx.now();
    const from = to.getTime() - days * DAY_MS;
    const stored = await base(metric, new Date(from - (PAST_DAYS - DAYS) * DAY_MS), to);
    const past = kind === 'range' && !isAbsent(stored) ? await distances(metric, stored, from, to) : stored;
    if (isAbsent(past)) return past;
    const series = kind === 'change' ? dailyChanges(past) : kind === 'sigma' ? dailySigmas(past) : past;
    const shown = within(series, from, to.getTime());
    if (shown.times.length < 2) return { absent: 'Not enough history to backtest an alert yet' };
    return { ...shown, source: past.source, grain: past.grain };
  }

  return {
    of(name, days = DAYS) {
      const key = `${canonical(name)}~~${days}`;
      const now = ctx.now().getTime();
      const found = cache.get(key);
      if (found && found.until > now) return found.history;
      const history = read(canonical(name), days);
      cache.delete(key);
      cache.set(key, { until: now + KEPT_MS, history });
      history.catch(() => cache.delete(key));
      if (cache.size > MOST_KEPT) cache.delete(cache.keys().next().value as string);
      return history;
    },
  };
}

/** How old a price may be to represent the moment. */
const NEAR_MS = 3 * HOUR_MS;
const FEWEST = 8;
const RESAMPLES = 999;

type After = Omit<Preview['after'], 'asset'>;
type Move = After['fires'];
type Dated = { day: number; value: number };

/** The log move of the price over the 24h after a moment; NaN where prices are missing. */
function moveAfter({ times, values }: Series, moment: number): number {
  const [from, to] = [lastAt(times, moment), lastAt(times, moment + DAY_MS)];
  if (from < 0 || to <= from) return NaN;
  const isNear = moment - (times[from] as number) <= NEAR_MS && moment + DAY_MS - (times[to] as number) <= NEAR_MS;
  return isNear ? Math.log((values[to] as number) / (values[from] as number)) : NaN;
}

/** Non-overlapping 24h moves, each on a separate day, from the oldest on. */
function movesAfter(prices: Series, moments: Iterable<number>): Dated[] {
  const moves: Dated[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const moment of moments) {
    if (moment < free) continue;
    const value = moveAfter(prices, moment);
    if (Number.isNaN(value)) continue;
    moves.push({ day: Math.floor(moment / DAY_MS), value });
    free = moment + DAY_MS;
  }
  return moves;
}

const percent = (log: number): number => Math.round(Math.expm1(log) * 1e4) / 100;

function summed(moves: readonly Dated[]): Move {
  if (moves.length === 0) return { n: 0, mean: null, low: null, high: null };
  const mean = moves.reduce((total, { value }) => total + value, 0) / moves.length;
  const spread = blockBootstrap(moves, 1, { resamples: RESAMPLES });
  const [low, high] = spread ? [percent(spread.low), percent(spread.high)] : [null, null];
  return { n: moves.length, mean: percent(mean), low, high };
}

function* days(from: number, to: number): Iterable<number> {
  for (let moment = from; moment + DAY_MS <= to; moment += DAY_MS) yield moment;
}

/**
 * The price move in the 24h after a fire, compared with all days of the span. A verdict needs eight fires and a 99%
 * interval of the difference that excludes zero. It is this strict because a level crossed often is one that the price
 * reverted from: in random walks such levels look predictive.
 */
export function measureMoves(prices: Series, fires: readonly number[], from: number, to: number): After {
  const own = movesAfter(prices, fires);
  const all = movesAfter(prices, days(from, to));
  return { fires: summed(own), all: summed(all), verdict: toVerdict(own, all) };
}

function toVerdict(own: readonly Dated[], all: readonly Dated[]): After['verdict'] {
  if (own.length < FEWEST || all.length <= own.length) return 'no evidence';
  const usual = all.reduce((total, { value }) => total + value, 0) / all.length;
  const distances = own.map(({ day, value }) => ({ day, value: value - usual }));
  const spread = blockBootstrap(distances, 1, { resamples: RESAMPLES });
  if (!spread) return 'no evidence';
  const wider = widening(own.length);
  if (spread.mean - wider * (spread.mean - spread.low) > 0) return 'higher';
  return spread.mean + wider * (spread.high - spread.mean) < 0 ? 'lower' : 'no evidence';
}

/** Converts the 95% interval to Student's at 99%, and corrects the bias of a spread around its own mean. */
function widening(n: number): number {
  const freedom = n - 1;
  const t = 2.576 + 4.9 / freedom + 8 / freedom ** 2;
  return (t / 1.96) * Math.sqrt(n / freedom);
}
