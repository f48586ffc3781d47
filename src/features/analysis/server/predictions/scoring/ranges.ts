import { HORIZON_DAYS, type Horizon } from '#features/analysis/contract/predictions.ts';
import { quantile } from './intervals.ts';
import { type DailyClose, denseCloses } from './volatility.ts';

/** Nominal coverage of central ranges, in percent. */
export const LEVELS = ['80', '95'] as const;
export type Level = (typeof LEVELS)[number];
export type Range = { low: number; high: number };
/** Log returns from the price at issue. */
export type Ranges = Record<Level, Range>;

export type RangedCall = {
  r: number | null;
  ranges: Ranges | null;
  /** Quantiles of the trailing year at issue: what the ranges are compared with. */
  trailingRanges: Ranges | null;
};

/** Coverage as shares; scores and widths in log returns. The scores are of the calls that have something to be compared with. */
export type RangeScores = {
  n: number;
  coverage: Record<Level, number>;
  width: Record<Level, number>;
  score: Record<Level, number> | null;
  scoreTrailing: Record<Level, number> | null;
};

const TRAILING_DAYS = 365;
const FEWEST_WINDOWS = 60;

export const eachLevel = <T>(of: (level: Level) => T): Record<Level, T> => ({ 80: of('80'), 95: of('95') });
export const missRate = (level: Level): number => 1 - Number(level) / 100;

/** As prices, from the price at issue. */
export const inUsd = ({ low, high }: Range, price: number): Range => ({
  low: price * Math.exp(low),
  high: price * Math.exp(high),
});

/** Each range is finite and the right way round, and the wider holds the narrower. */
export function areNested({ 80: inner, 95: outer }: Ranges): boolean {
  const ends = [outer.low, inner.low, inner.high, outer.high];
  return ends.every((end, i) => Number.isFinite(end) && end >= (ends[i - 1] ?? end));
}

export const isInside = ({ low, high }: Range, r: number): boolean => low <= r && r <= high;

/** Interval score of Gneiting and Raftery (2007): the width, and 2 ÷ miss rate times the distance outside. Lower is better. */
export function intervalScore({ low, high }: Range, r: number, level: Level): number {
  return high - low + (2 / missRate(level)) * (Math.max(0, low - r) + Math.max(0, r - high));
}

/** Central quantiles of the returns whose windows had ended at the last close, over a year. Null for fewer than 60. */
export function trailingRangesOf(closes: readonly DailyClose[], horizon: Horizon): Ranges | null {
  const days = HORIZON_DAYS[horizon];
  const dense = denseCloses(closes);
  const latest = dense.length - 1 - days;
  const returns: number[] = [];
  for (let start = Math.max(0, latest - TRAILING_DAYS + 1); start <= latest; start++) {
    const value = Math.log((dense[start + days] as number) / (dense[start] as number));
    if (Number.isFinite(value)) returns.push(value);
  }
  if (returns.length < FEWEST_WINDOWS) return null;
  const sorted = Float64Array.from(returns).toSorted();
  return eachLevel((level) => ({
    low: quantile(sorted, missRate(level) / 2),
    high: quantile(sorted, 1 - missRate(level) / 2),
  }));
}

/** How often returns stayed in their ranges, and what the ranges were worth. Null without a graded call that has one. */
export function scoreRanges(calls: readonly RangedCall[]): RangeScores | null {
  const graded = calls.flatMap(({ r, ranges, trailingRanges }) =>
    r === null || !ranges ? [] : [{ r, ranges, trailingRanges }],
  );
  if (graded.length === 0) return null;
  const compared = graded.flatMap(({ r, ranges, trailingRanges: trailing }) =>
    trailing ? [{ r, ranges, trailing }] : [],
  );
  const meanOf = <T>(of: readonly T[], value: (each: T) => number) =>
    of.reduce((sum, each) => sum + value(each), 0) / of.length;
  return {
    n: graded.length,
    coverage: eachLevel((level) => meanOf(graded, ({ r, ranges }) => (isInside(ranges[level], r) ? 1 : 0))),
    width: eachLevel((level) => meanOf(graded, ({ ranges }) => ranges[level].high - ranges[level].low)),
    score:
      compared.length === 0
        ? null
        : eachLevel((level) => meanOf(compared, ({ r, ranges }) => intervalScore(ranges[level], r, level))),
    scoreTrailing:
      compared.length === 0
        ? null
        : eachLevel((level) => meanOf(compared, ({ r, trailing }) => intervalScore(trailing[level], r, level))),
  };
}
