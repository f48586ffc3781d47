import type { ChartInterval } from '#features/market/contract/market.ts';

import type { CandleTable } from '../store/candles.ts';
import type { Bin } from '../store/chart.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** What each interval is made of, and how many candles are given when nobody says since when. */
export const INTERVALS = {
  '1': { table: 'candles_1m', bin: 1, usual: 480 },
  '5': { table: 'candles_1m', bin: 5, usual: 576 },
  '15': { table: 'candles_1m', bin: 15, usual: 672 },
  '30': { table: 'candles_1m', bin: 30, usual: 672 },
  '60': { table: 'candles_1h', bin: 60, usual: 720 },
  '240': { table: 'candles_1h', bin: 240, usual: 540 },
  D: { table: 'candles_1d', bin: 'day', usual: 365 },
  W: { table: 'candles_1d', bin: 'week', usual: 260 },
  M: { table: 'candles_1d', bin: 'month', usual: 120 },
} as const satisfies Record<ChartInterval, { table: CandleTable; bin: Bin; usual: number }>;

const steady = (bin: Bin): number => (typeof bin === 'number' ? bin * MINUTE_MS : bin === 'week' ? WEEK_MS : DAY_MS);

/** The beginning of the candle `steps` after the one in which the moment lies; ms since epoch, always by UTC. */
export function candleStart(interval: ChartInterval, moment: number, steps = 0): number {
  const { bin } = INTERVALS[interval];
  if (bin === 'month') {
    const day = new Date(moment);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + steps, 1);
  }
  const origin = bin === 'week' ? FIRST_MONDAY_MS : 0;
  return (Math.floor((moment - origin) / steady(bin)) + steps) * steady(bin) + origin;
}

/** How many candles lie between the beginnings of two. */
export function candlesBetween(interval: ChartInterval, first: number, last: number): number {
  const { bin } = INTERVALS[interval];
  if (bin !== 'month') return Math.round((last - first) / steady(bin));
  const [a, b] = [new Date(first), new Date(last)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}
