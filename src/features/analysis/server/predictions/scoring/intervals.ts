import { type DateMean, dependenceDays } from './dates.ts';

/** Mulberry32 (Ettinger 2017): numbers in [0, 1) that are the same for the same seed on every machine. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Interval = { low: number; high: number };
export type BootstrapOptions = { resamples?: number; seed?: number };
export type Bootstrap = Interval & { mean: number; blockDays: number; pAhead: number; pBehind: number };

const Z_95 = 1.959963984540054;
const RESAMPLES = 4_999;
const SEED = 20_260_101;

/** Wilson's score interval (1927) at 95% for a rate seen in `n` independent trials. Null without trials. */
export function wilson(rate: number, n: number): Interval | null {
  if (n === 0) return null;
  const square = Z_95 * Z_95;
  const middle = (rate + square / (2 * n)) / (1 + square / n);
  const half = (Z_95 / (1 + square / n)) * Math.sqrt((rate * (1 - rate)) / n + square / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
export function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  return low + (at - below) * ((sorted[below + 1] ?? low) - low);
}

type Blocks = { sums: Float64Array; counts: Int32Array };

/** Sum and count of every circular block of so many days, by the day it starts on. */
function circularBlocks(dates: readonly DateMean[], calendarDays: number, blockDays: number): Blocks {
  const from = dates[0]?.day ?? 0;
  const sums = new Float64Array(calendarDays);
  const counts = new Int32Array(calendarDays);
  for (const { day, value } of dates) {
    for (let back = 0; back < blockDays; back++) {
      const start = (day - from - back + calendarDays) % calendarDays;
      sums[start] = (sums[start] as number) + value;
      counts[start] = (counts[start] as number) + 1;
    }
  }
  return { sums, counts };
}

/**
 * Circular block bootstrap (Politis and Romano 1992) of the mean of loss differences by date, in blocks of
 * max(10 d, 2 h) of the calendar, so that dates without calls stay gaps, and a shorter one, drawn first, that fills it
 * up. The interval holds the middle 95% of the means; `pAhead` is the share of means that are not below zero,
 * `pBehind` of those not above, each counted with one more resample. Null for fewer than two blocks.
 */
export function blockBootstrap(
  dates: readonly DateMean[],
  horizonDays: number,
  { resamples = RESAMPLES, seed = SEED }: BootstrapOptions = {},
): Bootstrap | null {
  const from = dates[0]?.day ?? 0;
  const length = (dates.at(-1)?.day ?? from) - from + 1;
  const blockDays = dependenceDays(horizonDays);
  if (length < 2 * blockDays) return null;
  const whole = circularBlocks(dates, length, blockDays);
  const rest = circularBlocks(dates, length, length % blockDays);
  const wholeBlocks = Math.floor(length / blockDays);
  const random = mulberry32(seed);
  const means = new Float64Array(resamples);
  let [notBelow, notAbove] = [0, 0];
  for (let i = 0; i < resamples; i++) {
    const last = Math.floor(random() * length);
    let sum = rest.sums[last] as number;
    let count = rest.counts[last] as number;
    for (let block = 0; block < wholeBlocks; block++) {
      const start = Math.floor(random() * length);
      sum += whole.sums[start] as number;
      count += whole.counts[start] as number;
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
