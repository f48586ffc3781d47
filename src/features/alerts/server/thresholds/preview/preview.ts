import type { ParsedThreshold, Preview } from '#features/alerts/contract/thresholds.ts';
import type { Series } from '#kernel/packed-series.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { findWatched } from '#shared/watched.ts';
import { conditionUnit, findLimits, isWithin } from '#shared/watched-limits.ts';

import type { ThresholdsContext } from '../context.ts';
import { compileRule, initialState, type RuleRow, seriesName } from '../engine/compile.ts';
import { createEngine } from '../engine/engine.ts';
import { replay } from '../engine/replay.ts';
import type { CompiledRule, Tick } from '../engine/types.ts';
import { checkRule, parseEntry } from '../service/validate.ts';
import { LAGS_MS } from '../watching.ts';
import { lastAt } from './derived.ts';
import { type Histories, type History, isAbsent, measureMoves } from './series-history.ts';

export type Named = Series & { name: string };

/** The values of all series in time order, starting with each one's value at `from`. */
export function* ticksOf(series: readonly Named[], from: number): Iterable<Tick> {
  const next = series.map(({ times }) => Math.max(0, lastAt(times, from)));
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < series.length; i++) {
      const at = series[i]?.times[next[i] as number];
      if (at === undefined || at >= earliest) continue;
      first = i;
      earliest = at;
    }
    const each = series[first];
    if (!each) return;
    const place = next[first] as number;
    next[first] = place + 1;
    yield { series: each.name, value: each.values[place] as number, at: earliest };
  }
}

const WEEK_DAYS = 7;
const PER_WEEK = [1, 3];
/** Tolerance of "about". */
const ABOUT = 0.25;
const CANDIDATES = 64;
/** An estimate of frequency needs several weeks. */
const FEWEST_DAYS = 21;

/** Four significant digits, and no more decimals than the metric shows. */
function rounded(value: number, decimals: number): number {
  return Number(Number(value.toPrecision(4)).toFixed(decimals));
}

/** Quantiles between the lowest and the highest value. */
function suggestLevels(values: Float64Array, decimals: number): number[] {
  const sorted = values.toSorted();
  const at = (i: number) => sorted[Math.round((i * (sorted.length - 1)) / (CANDIDATES - 1))] as number;
  return [...new Set(Array.from({ length: CANDIDATES }, (_, i) => rounded(at(i), decimals)))];
}

/** How often each candidate would have fired: all in one engine, so that a tick costs only what it reaches. */
function countFires(row: RuleRow, candidates: readonly number[], series: readonly Named[], from: number): number[] {
  const engine = createEngine();
  const counts = candidates.map(() => 0);
  for (const [id, value] of candidates.entries()) engine.add(compileRule({ ...row, id, value }), initialState(row));
  for (const tick of ticksOf(series, from))
    for (const { id, fired } of engine.tick(tick)) if (fired) counts[id] = (counts[id] as number) + 1;
  return counts;
}

type Counted = { candidates: number[]; counts: number[] };

/**
 * Keyed by the values of a series, so that it is collected with them: repeated tries of different values are counted
 * once.
 */
const counted = new WeakMap<Float64Array, Map<string, Counted>>();
const MOST_COUNTED = 8;

/** Caches `count` per rule, ignoring its value. For rules of one series only. */
function countedOnce(row: RuleRow, series: readonly Named[], from: number, count: () => Counted): Counted {
  const [only] = series;
  if (!only || series.length > 1) return count();
  const known = counted.get(only.values) ?? new Map<string, Counted>();
  counted.set(only.values, known);
  const { metric, condition, options } = row;
  const key = JSON.stringify([metric, condition, options, from]);
  const found = known.get(key) ?? count();
  known.delete(key);
  known.set(key, found);
  if (known.size > MOST_COUNTED) known.delete(known.keys().next().value as string);
  return found;
}

/** The value nearest to the requested one with about that weekly frequency. */
export function suggestionsFor(
  row: RuleRow,
  series: readonly Named[],
  from: number,
  days: number,
): Preview['suggestions'] {
  const limits = findLimits(row.metric, row.condition);
  const values = series[0]?.values;
  const margin = row.options.margin ?? 0;
  if (!limits || !values || days < FEWEST_DAYS) return [];
  const isChange = seriesName(row.metric, row.condition) !== row.metric;
  const decimals = isChange ? 2 : (findWatched(row.metric)?.decimals ?? 2);
  const { candidates, counts } = countedOnce(row, series, from, () => {
    const allowed = suggestLevels(values, decimals).filter(
      (value) => isWithin(value, limits) && (limits.from < 0 || value > margin),
    );
    return { candidates: allowed, counts: countFires(row, allowed, series, from) };
  });
  return PER_WEEK.flatMap((wanted) => {
    const fitting = candidates.filter((_, i) => {
      const perWeek = ((counts[i] as number) / days) * WEEK_DAYS;
      return Math.abs(perWeek - wanted) <= wanted * ABOUT;
    });
    const value = fitting.toSorted((a, b) => Math.abs(a - row.value) - Math.abs(b - row.value))[0];
    return value === undefined ? [] : [{ perWeek: wanted, value }];
  });
}

/** Downsamples to at most `most` points, preserving the lowest and highest of each stretch in order. */
export function thinned({ times, values }: Series, most: number): [number, number][] {
  const point = (i: number): [number, number] => [times[i] as number, values[i] as number];
  const count = times.length;
  if (count <= most) return Array.from({ length: count }, (_, i) => point(i));
  const stretches = Math.floor(most / 2);
  const points: [number, number][] = [];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches);
    const to = Math.floor(((stretch + 1) * count) / stretches);
    let [low, high] = [from, from];
    for (let i = from + 1; i < to; i++) {
      if ((values[i] as number) < (values[low] as number)) low = i;
      if ((values[i] as number) > (values[high] as number)) high = i;
    }
    points.push(point(Math.min(low, high)));
    if (low !== high) points.push(point(Math.max(low, high)));
  }
  return points;
}

/** A series by publication time: values count only once published. */
function publishedBy(history: History, name: string, now: Date): Named & History {
  const lag = LAGS_MS[name.split('~')[0] as string] ?? 0;
  const times = lag === 0 ? history.times : history.times.map((at) => Math.min(at + lag, now.getTime()));
  return { ...history, name, times };
}

const DAY_MS = 86_400_000;

const MOST_POINTS = 240;
const MOST_FIRES = 200;

/** The rule as if always active: every crossing counts, and its expiry is in the future. */
function toRuleRow(asked: ParsedThreshold): RuleRow {
  const { metric, condition, value, options } = parseEntry(asked).meaning;
  return { id: 1, userId: 0, metric, condition, value, options: { ...options, mode: 'every', expiresAt: null } };
}

function longestSilence(fires: readonly [number, number][], from: number, to: number): number {
  let longest = 0;
  let last = from;
  for (const at of [...fires.map(([at]) => at), to]) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return Math.round((longest / DAY_MS) * 10) / 10;
}

const NOTHING = {
  from: null,
  to: null,
  days: 0,
  tried: [],
  points: [],
  level: null,
  fires: [],
  fireCount: 0,
  perWeek: null,
  longestSilenceDays: null,
  suppressed: 0,
  suggestions: [],
} satisfies Partial<Preview>;
const NO_MOVE = { n: 0, mean: null, low: null, high: null };

type Known = { histories: Histories; days?: number };

/** Backtests the rule on stored data. Stores nothing. */
export async function previewRule(
  ctx: ThresholdsContext,
  asked: ParsedThreshold,
  { histories, days: span }: Known,
): Promise<Preview> {
  const { board } = ctx.market.ctx;
  checkRule(asked, { now: ctx.now(), isTracked: board.has });
  const watched = findWatched(asked.metric) as NonNullable<ReturnType<typeof findWatched>>;
  const row = toRuleRow(asked);
  const rule = compileRule(row);
  const asset = board.coin(watched.coinId)?.symbol ?? watched.coinId;
  const what = { metric: asked.metric, unit: conditionUnit(watched, asked.condition) };
  const names = [...new Set(rule.legs.map(({ series }) => series))];
  const found = await Promise.all(names.map((name) => histories.of(name, span)));
  const absent = found.find(isAbsent);
  if (absent)
    return { ...NOTHING, ...what, ...absent, after: { asset, fires: NO_MOVE, all: NO_MOVE, verdict: 'no evidence' } };

  const series = (found as History[]).map((history, i) => publishedBy(history, names[i] as string, ctx.now()));
  const first = series[0] as (typeof series)[number];
  const from = Math.max(...series.map(({ times }) => times[0] as number));
  const to = first.times.at(-1) as number;
  const days = Math.max(0, to - from) / DAY_MS;
  const replayed = replay(rule, ticksOf(series, from), initialState(row));
  const prices = await histories.of(COIN_PREFIX + watched.coinId, span);
  const moments = replayed.fires.map(([at]) => at);
  const level = watched.kind === 'direction' ? row.value : findLevel(rule);
  return {
    ...what,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    days: Math.round(days * 10) / 10,
    tried: series.map(({ source, grain }) => ({ source, grain })),
    absent: null,
    points: thinned(first, MOST_POINTS),
    level,
    fires: replayed.fires.slice(-MOST_FIRES),
    fireCount: replayed.fires.length,
    perWeek: days > 0 ? Math.round((replayed.fires.length / days) * WEEK_DAYS * 100) / 100 : null,
    longestSilenceDays: longestSilence(replayed.fires, from, to),
    suppressed: Math.max(0, replayed.crossings - replayed.fires.length),
    after: {
      asset,
      ...(isAbsent(prices)
        ? { fires: NO_MOVE, all: NO_MOVE, verdict: 'no evidence' as const }
        : measureMoves(prices, moments, from, to)),
    },
    suggestions: watched.kind === 'direction' ? [] : suggestionsFor(row, series, from, days),
  };
}

function findLevel({ legs: [leg] }: CompiledRule): number | null {
  if (!leg) return null;
  if (leg.kind === 'above') return leg.high;
  return leg.kind === 'below' ? leg.low : (leg.low + leg.high) / 2;
}
