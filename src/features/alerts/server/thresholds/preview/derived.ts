import type { PriceRange } from '#features/analysis/contract/analysis.ts';
import type { Series } from '#kernel/packed-series.ts';

/** Index of the last time not after the moment; −1 when all are later. */
export function lastAt(times: Float64Array, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Tolerance of the value 24h earlier. */
const SLACK_MS = 3 * HOUR_MS;
const SIGMA_DAYS = 30;
const FEWEST_DAYS = 20;

const toSeries = (times: number[], values: number[]): Series => ({
  times: Float64Array.from(times),
  values: Float64Array.from(values),
});

/** Pairs each value with the one closest to 24h earlier; omitted without one close enough. */
function withDayBefore({ times, values }: Series, take: (at: number, value: number, before: number) => void): void {
  let next = 0;
  for (let i = 0; i < times.length; i++) {
    const at = times[i] as number;
    const target = at - DAY_MS;
    while (next < i && (times[next] as number) <= target) next++;
    // `next` is the first one after it, so the nearest is this one or the one before.
    const [late, early] = [times[next] as number, times[next - 1] ?? Number.NEGATIVE_INFINITY];
    const nearest = next < i && late - target < target - early ? next : next - 1;
    const time = times[nearest];
    if (time !== undefined && Math.abs(time - target) <= SLACK_MS)
      take(at, values[i] as number, values[nearest] as number);
  }
}

/** The absolute change over 24h in percent. */
export function dailyChanges(series: Series): Series {
  const [times, values]: [number[], number[]] = [[], []];
  withDayBefore(series, (at, value, before) => {
    if (before === 0) return;
    times.push(at);
    values.push(Math.abs(value / before - 1) * 100);
  });
  return toSeries(times, values);
}

/** The last value of each UTC day, by the day; NaN where a day has none. */
function dailyCloses({ times, values }: Series): { first: number; closes: Float64Array } {
  const dayIndex = (i: number) => Math.ceil((times[i] as number) / DAY_MS) - 1;
  const first = dayIndex(0);
  const closes = new Float64Array(dayIndex(times.length - 1) - first + 1).fill(NaN);
  for (let i = 0; i < times.length; i++) closes[dayIndex(i) - first] = values[i] as number;
  return { first, closes };
}

/** Standard deviation of the daily log changes over the 30 days before each day; NaN with too few. */
function deviations(closes: Float64Array): Float64Array {
  const logs = closes.map((close, day) => Math.log(close / (closes[day - 1] ?? NaN)));
  return closes.map((_, day) => {
    const past = logs.subarray(Math.max(0, day - SIGMA_DAYS), day).filter(Number.isFinite);
    if (past.length < FEWEST_DAYS) return NaN;
    const mean = past.reduce((total, log) => total + log, 0) / past.length;
    return Math.sqrt(past.reduce((total, log) => total + (log - mean) ** 2, 0) / (past.length - 1));
  });
}

/** Standard deviation of the daily log changes over the 30 days before that of `at`; NaN with too few. */
export function spreadBefore(series: Series, at: number): number {
  if (series.times.length === 0) return NaN;
  const { first, closes } = dailyCloses(series);
  const today = Math.ceil(at / DAY_MS) - 1 - first;
  const known = Float64Array.from({ length: today + 1 }, (_, day) => closes[day] ?? NaN);
  return deviations(known)[today] ?? NaN;
}

/** The absolute 24h log change in standard deviations of the daily log changes over the 30 days before. */
export function dailySigmas(series: Series): Series {
  if (series.times.length === 0) return series;
  const { first, closes } = dailyCloses(series);
  const spread = deviations(closes);
  const [times, values]: [number[], number[]] = [[], []];
  withDayBefore(series, (at, value, before) => {
    const sigmas = Math.abs(Math.log(value / before)) / (spread[Math.ceil(at / DAY_MS) - 1 - first] ?? NaN);
    if (!Number.isFinite(sigmas)) return;
    times.push(at);
    values.push(sigmas);
  });
  return toSeries(times, values);
}

/** Distance of a price beyond the nearer end of a range, in percent of that end; negative inside it. */
export const beyond = (price: number, { low, high }: { low: number; high: number }): number =>
  100 * Math.max(price / high - 1, 1 - price / low);

/**
 * Distance of each price beyond the newest range issued before it; prices without a range of the last 24 hours are
 * omitted.
 */
export function rangeDistances(
  { times, values }: Series,
  ranges: readonly Pick<PriceRange, 'issued_at' | 'range_80'>[],
): Series {
  const issued = Float64Array.from(ranges, ({ issued_at }) => Date.parse(issued_at));
  const places = times.map((at) => lastAt(issued, at));
  const isOpen = (_: number, i: number) => (times[i] as number) - (issued[places[i] as number] ?? NaN) < DAY_MS;
  const distanceBeyond = (price: number, i: number) => {
    const range = ranges[places[i] as number];
    return range ? beyond(price, range.range_80) : NaN;
  };
  return { times: times.filter(isOpen), values: values.map(distanceBeyond).filter(isOpen) };
}

/** The part of a series within the span. */
export function within({ times, values }: Series, from: number, to: number): Series {
  const [start, end] = [lastAt(times, from - 1) + 1, lastAt(times, to) + 1];
  return { times: times.subarray(start, end), values: values.subarray(start, end) };
}
