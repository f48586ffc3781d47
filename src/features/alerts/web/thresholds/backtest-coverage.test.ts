import { expect, test } from 'vitest';

import type { Grain } from '#features/alerts/contract/thresholds.ts';
import { backtestCoverage } from './backtest-coverage.ts';

test.each<[string[], [string, Grain][], number, string]>([
  [
    ['btc_price', 'vix'],
    [
      ['OKX', 'hourly closes'],
      ['FRED', 'daily values'],
    ],
    90,
    'Backtested on hourly closes from OKX and daily values from FRED, 90 days; evaluated live on every price, so it may fire more often.',
  ],
  [
    ['ssr'],
    [['Meridian', 'hourly values']],
    12,
    'Backtested on hourly values from Meridian, 12 days; evaluated live on every collection, so it may fire more often.',
  ],
  [
    ['vix'],
    [['FRED', 'daily values']],
    89.6,
    'Backtested on daily values from FRED, 90 days; evaluated live on the same values as they are published.',
  ],
  [
    ['ai_prediction_short'],
    [['Meridian', 'analyses']],
    1,
    'Backtested on analyses from Meridian, 1 day; evaluated live on the same values as they are published.',
  ],
])('states what %o was tested on, and what differs live', (metrics, tried, days, words) => {
  expect(backtestCoverage({ tried: tried.map(([source, grain]) => ({ source, grain })), days }, metrics)).toBe(words);
});
