import { type DateMean, dependenceDays, nonOverlapping } from './dates.ts';
import { studentCdf } from './distributions.ts';

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
