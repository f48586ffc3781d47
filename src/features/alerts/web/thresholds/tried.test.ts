import { expect, test } from 'vitest';

import type { Grain } from '#features/alerts/contract/thresholds.ts';
import { triedOn } from './tried.ts';

test.each<[string[], [string, Grain][], number, string]>([
  [
    ['btc_price', 'vix'],
    [
      ['OKX', 'hourly closes'],
      ['FRED', 'daily values'],
    ],
    90,
    'Tried on hourly closes from OKX and daily values from FRED, 90 days; live it is judged with every price, so it may fire more often.',
  ],
  [
    ['ssr'],
    [['Meridian', 'hourly values']],
    12,
    'Tried on hourly values from Meridian, 12 days; live it is judged with every collection, so it may fire more often.',
  ],
  [
    ['vix'],
    [['FRED', 'daily values']],
    89.6,
    'Tried on daily values from FRED, 90 days; live it is judged with the same values, as they come out.',
  ],
  [
    ['ai_prediction_short'],
    [['Meridian', 'analyses']],
    1,
    'Tried on analyses from Meridian, 1 day; live it is judged with the same values, as they come out.',
  ],
])('says on what %o was tried, and what is different live', (metrics, tried, days, words) => {
  expect(triedOn({ tried: tried.map(([source, grain]) => ({ source, grain })), days }, metrics)).toBe(words);
});
