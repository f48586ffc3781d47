import { expect, test } from 'vitest';

import { type ExpectedRange, expectedOf, fanOf } from './fan.ts';

const HOUR = 3_600_000;
const range = (hours: number, share: number): ExpectedRange => ({
  provider: 'local',
  crypto_symbol: 'BTC',
  horizon: `${hours}h`,
  issuedAt: 0,
  endsAt: hours * HOUR,
  price: 100,
  range_80: { low: 100 / share, high: 100 * share },
  range_95: { low: 100 / share ** 2, high: 100 * share ** 2 },
  held: null,
});

test('a fan begins at the price of issue and passes through each range at its end', () => {
  const fan = fanOf([range(168, 1.21), range(24, 1.1)], 168 * HOUR, HOUR);
  const at = (hours: number) => fan.find((point) => point.at === hours * HOUR)?.ends.map((end) => end.toFixed(3));
  expect(at(0)).toEqual(['100.000', '100.000', '100.000', '100.000']);
  expect(at(6)).toEqual(['90.909', '95.346', '104.881', '110.000']);
  expect(at(24)).toEqual(['82.645', '90.909', '110.000', '121.000']);
  expect(at(168)).toEqual(['68.301', '82.645', '121.000', '146.410']);
  expect(fan).toHaveLength(169);
});

test('it ends with the last horizon, or where the chart does', () => {
  expect(fanOf([range(24, 1.1)], 1000 * HOUR, HOUR).at(-1)?.at).toBe(24 * HOUR);
  expect(fanOf([range(24, 1.1)], 12 * HOUR, HOUR).at(-1)?.at).toBe(12 * HOUR);
  expect(fanOf([], HOUR, HOUR)).toEqual([]);
});

test('of what the page knows, the ranges of one coin with their ends and how often such ranges held', () => {
  const { issuedAt: _, endsAt: __, held: ___, ...told } = range(24, 1.1);
  const known = {
    aiAnalysis: {
      timestamp: '2026-11-20T12:00:00Z',
      ranges: [told, { ...told, horizon: '7d' }, { ...told, crypto_symbol: 'ETH' }],
    },
    backtestResults: { cells: [{ provider: 'local', horizon: '24h', ranges: { n: 40, coverage_80: 0.8 } }] },
  };
  expect(
    expectedOf(known, 'BTC').map(({ horizon, endsAt, held }) => [horizon, new Date(endsAt).toISOString(), held]),
  ).toEqual([
    ['24h', '2026-11-21T12:00:00.000Z', { share: 0.8, of: 40 }],
    ['7d', '2026-11-27T12:00:00.000Z', null],
  ]);
  expect(expectedOf({}, 'BTC')).toEqual([]);
});
