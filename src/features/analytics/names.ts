import type { ChartInterval } from '#features/market/contract/market.ts';

/** Length of one bar, in the words of page and report. */
export const INTERVAL_WORDS: Readonly<Record<ChartInterval, string>> = {
  '1': '1 minute',
  '5': '5 minutes',
  '15': '15 minutes',
  '30': '30 minutes',
  '60': '1 hour',
  '240': '4 hours',
  D: '1 day',
  W: '1 week',
  M: '1 month',
};
