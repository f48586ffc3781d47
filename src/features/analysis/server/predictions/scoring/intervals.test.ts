import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { DateMean } from './dates.ts';
import { type Bootstrap, blockBootstrap, mulberry32, wilson } from './intervals.ts';
import { normals } from './testing/simulated.ts';

const series = (n: number, seed: number, shift = 0): DateMean[] => {
  const normal = normals(seed);
  return Array.from({ length: n }, (_, day) => ({ day, value: normal() + shift }));
};
const bootstrap = (dates: readonly DateMean[], days = 1, options = {}) =>
  blockBootstrap(dates, days, options) as Bootstrap;

describe('Wilson', () => {
  test.each([
    [30, 38, 71],
    [100, 45, 64],
    [400, 50, 60],
    [1000, 52, 58],
  ])('a rate of 0.55 in %d trials: %d to %d percent', (n, low, high) => {
    const { low: from, high: to } = wilson(0.55, n) as { low: number; high: number };
    expect([Math.round(100 * from), Math.round(100 * to)]).toEqual([low, high]);
  });

  test('stays within 0 and 1 and needs a trial', () => {
    expect(wilson(0, 3)).toMatchObject({ low: 0 });
    expect(wilson(1, 3)).toMatchObject({ high: 1 });
    expect(wilson(0.5, 0)).toBeNull();
  });

  test('property: its ends are where the normal test of the rate just rejects', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.integer({ min: 2, max: 5000 }), (rate, n) => {
        for (const end of Object.values(wilson(rate, n) as object) as number[])
          expect(Math.abs(rate - end) / Math.sqrt((end * (1 - end)) / n)).toBeCloseTo(1.959964, 4);
      }),
    );
  });
});

test('Mulberry32: reproduces its published numbers', () => {
  const random = mulberry32(0);
  expect(Array.from({ length: 3 }, () => random() * 4_294_967_296)).toEqual([1_144_304_738, 1_416_247, 958_946_056]);
});

describe('block bootstrap', () => {
  test('is identical on every run and differs with another seed', () => {
    const dates = series(200, 1);
    expect(bootstrap(dates)).toEqual(bootstrap(dates));
    expect(bootstrap(dates, 1, { seed: 9 }).low).not.toBe(bootstrap(dates).low);
  });

  test('draws blocks of ten days or twice the horizon', () => {
    expect(bootstrap(series(200, 1), 1).blockDays).toBe(10);
    expect(bootstrap(series(200, 1), 7).blockDays).toBe(14);
    expect(blockBootstrap(series(27, 1), 7)).toBeNull();
    expect(blockBootstrap([], 1)).toBeNull();
  });

  test('white noise: the interval matches that of the mean', () => {
    const dates = series(2000, 4);
    const { mean, low, high } = bootstrap(dates);
    expect(mean).toBeCloseTo(dates.reduce((sum, { value }) => sum + value, 0) / 2000, 12);
    expect((high - low) / (2 * 1.96 * Math.sqrt(1 / 2000))).toBeGreaterThan(0.85);
    expect((high - low) / (2 * 1.96 * Math.sqrt(1 / 2000))).toBeLessThan(1.15);
  });

  test('persistent values widen it: ten equal days in a row count as one', () => {
    const once = series(200, 4);
    const tenfold = Array.from({ length: 2000 }, (_, day) => ({ day, value: once[Math.floor(day / 10)]?.value ?? 0 }));
    const width = ({ low, high }: Bootstrap) => high - low;
    expect(width(bootstrap(tenfold)) / width(bootstrap(series(2000, 4)))).toBeGreaterThan(2.2);
  });

  test('reports how often the mean is not below, or not above, zero', () => {
    expect(bootstrap(series(300, 2, -0.5))).toMatchObject({ pAhead: 1 / 5000, pBehind: 1 });
    expect(bootstrap(series(300, 2, 0.5))).toMatchObject({ pAhead: 1, pBehind: 1 / 5000 });
    const level = bootstrap(series(300, 2));
    expect(level.pAhead + level.pBehind).toBeCloseTo(1, 2);
  });

  test('calendar gaps remain gaps', () => {
    const dates = series(400, 3).filter(({ day }) => day % 50 < 25);
    const { mean, low, high } = bootstrap(dates);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    const constant = dates.map(({ day }) => ({ day, value: 0.25 }));
    expect(bootstrap(constant)).toMatchObject({ mean: 0.25, low: 0.25, high: 0.25 });
  });
});
