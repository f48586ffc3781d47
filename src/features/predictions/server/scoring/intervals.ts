import { type DateMean, dependenceDays } from './dates.ts';
import { mulberry32 } from './random.ts';

export type Interval = { low: number; high: number };
export type Bootstrap = Interval & { mean: number; blockDays: number; pAhead: number; pBehind: number };

const Z_95 = 1.959963984540054;
const RESAMPLES = 4_999;
const SEED = 20_260_101;

/** Wilson's score interval (1927) at 95 % for a rate seen in `n` independent trials. Null without trials. */
export function wilson(rate: number, n: number): Interval | null {
  if (n === 0) return null;
  const square = Z_95 * Z_95;
  const middle = (rate + square / (2 * n)) / (1 + square / n);
  const half = (Z_95 / (1 + square / n)) * Math.sqrt((rate * (1 - rate)) / n + square / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  return low + (at - below) * ((sorted[below + 1] ?? low) - low);
}

/** Sums and counts from the first date on, twice around: a circular block is a difference of two entries. */
function cumulate(
  dates: readonly DateMean[],
  from: number,
  length: number,
): { sums: Float64Array; counts: Int32Array } {
  const sums = new Float64Array(2 * length + 1);
  const counts = new Int32Array(2 * length + 1);
  for (const { day, value } of dates) {
    for (const at of [day - from + 1, day - from + 1 + length]) {
      sums[at] = value;
      counts[at] = 1;
    }
  }
  for (let i = 1; i <= 2 * length; i++) {
    sums[i] = (sums[i] as number) + (sums[i - 1] as number);
    counts[i] = (counts[i] as number) + (counts[i - 1] as number);
  }
  return { sums, counts };
}

/**
 * Circular block bootstrap (Politis and Romano 1992) of the mean of loss differences by date, in blocks of
 * max(10 d, 2 h) of the calendar, so that dates without calls stay gaps. The interval holds the middle 95 % of the
 * means; `pAhead` is the share of means that are not below zero, `pBehind` of those not above, each counted with one
 * more resample. Null for fewer than two blocks.
 */
export function blockBootstrap(
  dates: readonly DateMean[],
  horizonDays: number,
  { resamples = RESAMPLES, seed = SEED } = {},
): Bootstrap | null {
  const from = dates[0]?.day ?? 0;
  const length = (dates.at(-1)?.day ?? from) - from + 1;
  const blockDays = dependenceDays(horizonDays);
  if (length < 2 * blockDays) return null;
  const { sums, counts } = cumulate(dates, from, length);
  const random = mulberry32(seed);
  const means = new Float64Array(resamples);
  let [notBelow, notAbove] = [0, 0];
  for (let i = 0; i < resamples; i++) {
    let [sum, count] = [0, 0];
    for (let filled = 0; filled < length; filled += blockDays) {
      const start = Math.floor(random() * length);
      const end = start + Math.min(blockDays, length - filled);
      sum += (sums[end] as number) - (sums[start] as number);
      count += (counts[end] as number) - (counts[start] as number);
    }
    const mean = count > 0 ? sum / count : 0;
    means[i] = mean;
    if (mean >= 0) notBelow++;
    if (mean <= 0) notAbove++;
  }
  means.sort();
  return {
    mean: dates.reduce((total, { value }) => total + value, 0) / dates.length,
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
    blockDays,
    pAhead: (1 + notBelow) / (resamples + 1),
    pBehind: (1 + notAbove) / (resamples + 1),
  };
}
