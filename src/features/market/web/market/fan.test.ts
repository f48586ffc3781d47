import { expect, test } from 'vitest';

import { buildFan } from './fan.ts';
import type { ExpectedRange } from './use-expected-ranges.ts';

const HOUR = 3_600_000;
const range = (hours: number, share: number): ExpectedRange => ({
  by: 'Built-in analyst',
  horizon: `${hours}h`,
  issuedAt: 0,
  startsAt: 0,
  endsAt: hours * HOUR,
  price: 100,
  range_80: { low: 100 / share, high: 100 * share },
  range_95: { low: 100 / share ** 2, high: 100 * share ** 2 },
  record: null,
  replay: null,
});

test('a fan starts at the issue price and passes through each range at its end', () => {
  const fan = buildFan([range(168, 1.21), range(24, 1.1)], 168 * HOUR, HOUR);
  const at = (hours: number) => fan.find((point) => point.at === hours * HOUR)?.ends.map((end) => end.toFixed(3));
  expect(at(0)).toEqual(['100.000', '100.000', '100.000', '100.000']);
  expect(at(6)).toEqual(['90.909', '95.346', '104.881', '110.000']);
  expect(at(24)).toEqual(['82.645', '90.909', '110.000', '121.000']);
  expect(at(168)).toEqual(['68.301', '82.645', '121.000', '146.410']);
  expect(fan).toHaveLength(169);
});

test('it ends at the last horizon, or where the chart does', () => {
  expect(buildFan([range(24, 1.1)], 1000 * HOUR, HOUR).at(-1)?.at).toBe(24 * HOUR);
  expect(buildFan([range(24, 1.1)], 12 * HOUR, HOUR).at(-1)?.at).toBe(12 * HOUR);
  expect(buildFan([], HOUR, HOUR)).toEqual([]);
});

test('issued between two candles: it starts at the candle of issue, at the issue price', () => {
  const late = { ...range(24, 1.1), startsAt: 0.4 * HOUR, endsAt: 24.4 * HOUR };
  const [first, second] = buildFan([late], 48 * HOUR, HOUR);
  expect(first).toEqual({ at: 0, ends: [100, 100, 100, 100] });
  expect(second?.at).toBe(HOUR);
  expect(second?.ends[2]).toBeCloseTo(100 * 1.1 ** Math.sqrt(0.6 / 24), 9);
});
