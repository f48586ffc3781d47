import { HORIZON_DAYS, type Horizon } from '#features/analysis/contract/predictions.ts';

import { type DateMean, dependenceDays, nonOverlapping } from './dates.ts';
import { studentCdf } from './scores.ts';

/** Of loss differences, forecaster less reference: below zero is better, so `pAhead` is the lower tail. */
export type Comparison = { n: number; mean: number; statistic: number; pAhead: number; pBehind: number };
export type DieboldMariano = Comparison & { lagDays: number };

const meanOf = (dates: readonly DateMean[]) => dates.reduce((sum, { value }) => sum + value, 0) / dates.length;
/** Rounding alone would otherwise look like a variance where all differences are the same. */
const ROUNDING = 1e-24;

function byStudent(n: number, mean: number, statistic: number): Comparison {
  const pAhead = studentCdf(statistic, n - 1);
  return { n, mean, statistic, pAhead, pBehind: studentCdf(-statistic, n - 1) };
}

/** Bartlett-weighted long-run sum of products (Newey and West 1987); dates without calls count as gaps, not as zero lag. */
function longRunSum(dates: readonly DateMean[], mean: number, lagDays: number): number {
  const from = dates[0]?.day ?? 0;
  const deviations = new Float64Array((dates.at(-1)?.day ?? from) - from + 1);
  for (const { day, value } of dates) deviations[day - from] = value - mean;
  let sum = 0;
  for (let lag = 0; lag <= lagDays; lag++) {
    let products = 0;
    for (let i = lag; i < deviations.length; i++)
      products += (deviations[i] as number) * (deviations[i - lag] as number);
    sum += (lag === 0 ? 1 : 2 * (1 - lag / (lagDays + 1))) * products;
  }
  return sum;
}

/**
 * Diebold and Mariano (1995) on the loss differences by date, with the small-sample factor of Harvey, Leybourne and
 * Newbold (1997) and Student's t with n − 1 degrees. The lag is max(10 d, 2 h), never below h − 1: Bartlett's weights
 * fade, so h − 1 lags of windows that overlap would say less variance than there is; the factor counts the same lags.
 * Null when there are too few dates or nothing varies.
 */
export function dieboldMariano(dates: readonly DateMean[], horizonDays: number): DieboldMariano | null {
  const n = dates.length;
  const lagDays = dependenceDays(horizonDays);
  if (n < 2) return null;
  const mean = meanOf(dates);
  const variance = longRunSum(dates, mean, lagDays) / (n * n);
  const steps = lagDays + 1;
  const factor = (n + 1 - 2 * steps + (steps * (steps - 1)) / n) / n;
  if (!(variance > ROUNDING) || n < 2 * steps) return null;
  return { lagDays, ...byStudent(n, mean, mean * Math.sqrt(factor / variance)) };
}

/** Student's t test (1908) on dates whose windows share no day. Null for fewer than two, or when nothing varies. */
export function nonOverlappingTest(dates: readonly DateMean[], horizonDays: number): Comparison | null {
  const units = nonOverlapping(dates, horizonDays);
  const n = units.length;
  if (n < 2) return null;
  const mean = meanOf(units);
  const variance = units.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / (n - 1) / n;
  return variance > ROUNDING ? byStudent(n, mean, mean / Math.sqrt(variance)) : null;
}

/** Equal values share the mean of their ranks. */
function ranks(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).toSorted((a, b) => (values[a] as number) - (values[b] as number));
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    for (let i = from; i < to; i++) ranked[order[i] as number] = (from + to - 1) / 2;
    from = to;
  }
  return ranked;
}

/** Spearman's rank correlation (1904). Null for fewer than three pairs, or when one side never varies. */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  const n = x.length;
  if (n < 3) return null;
  const [a, b] = [ranks(x), ranks(y)];
  const middle = (n - 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [da, db] = [(a[i] as number) - middle, (b[i] as number) - middle];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa > 0 && bb > 0 ? Math.max(-1, Math.min(1, ab / Math.sqrt(aa * bb))) : null;
}

export type Verdict = 'ahead' | 'behind' | 'no evidence' | 'too few independent windows';
export type Tails = { ahead: number; behind: number };

/** Windows that share no day before any word of skill is said. */
export const FEWEST_WINDOWS = 60;
export const LEVEL = 0.05;
/** From here on sixty windows take longer than a track can be expected to live: 28d 4.6 years, 180 d 30 years. */
const LONG_HORIZON_DAYS = 28;

export const isLong = (horizon: Horizon): boolean => HORIZON_DAYS[horizon] >= LONG_HORIZON_DAYS;

/** Whether a cell may be tested for a word; its place in Holm's family it keeps either way. */
export const isEligible = (horizon: Horizon, nEff: number): boolean => !isLong(horizon) && nEff >= FEWEST_WINDOWS;

type Test = { pAhead: number; pBehind: number } | null;
type Tests = { dm: Test; bootstrap: Test };

/**
 * The p a word is tested by. Diebold-Mariano and the bootstrap must agree, so the larger of the two counts in each
 * tail. A track that is ahead must also be ahead of the other baselines: climatology is counted over one year, and its
 * own sampling error is beaten by saying a third for everything.
 */
export function tailsOf({ dm, bootstrap }: Tests, ...others: readonly Tests[]): Tails | null {
  if (!dm || !bootstrap) return null;
  const aheadOfOthers = others.flatMap((other) => [other.dm?.pAhead ?? 1, other.bootstrap?.pAhead ?? 1]);
  return {
    ahead: Math.max(dm.pAhead, bootstrap.pAhead, ...aheadOfOthers),
    behind: Math.max(dm.pBehind, bootstrap.pBehind),
  };
}

/** `adjusted` are the one-sided p after Holm over every provider and horizon shown. */
export function verdictOf(horizon: Horizon, nEff: number, adjusted: Tails | null): Verdict {
  if (isLong(horizon)) return 'too few independent windows';
  if (!adjusted || !isEligible(horizon, nEff)) return 'no evidence';
  if (adjusted.ahead < LEVEL) return 'ahead';
  return adjusted.behind < LEVEL ? 'behind' : 'no evidence';
}
