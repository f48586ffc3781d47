import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { dieboldMariano, nonOverlappingTest } from './compare.ts';
import { type DateMean, dependenceDays, issueDay, meansByDate, nonOverlapping } from './dates.ts';
import { studentCdf } from './scores.ts';
import { normals } from './testing/simulated.ts';

const noise = (n: number, seed: number): DateMean[] => {
  const normal = normals(seed);
  return Array.from({ length: n }, (_, day) => ({ day, value: normal() - 0.1 }));
};

/** The same statistic as a double sum over all pairs of dates. */
function byPairs(dates: readonly DateMean[], horizonDays: number): number {
  const n = dates.length;
  const lag = Math.max(10, 2 * horizonDays);
  const mean = dates.reduce((sum, { value }) => sum + value, 0) / n;
  let variance = 0;
  for (const a of dates)
    for (const b of dates) {
      const apart = Math.abs(a.day - b.day);
      if (apart <= lag) variance += (1 - apart / (lag + 1)) * (a.value - mean) * (b.value - mean);
    }
  const h = lag + 1;
  return Math.sqrt((n + 1 - 2 * h + (h * (h - 1)) / n) / n) * (mean / Math.sqrt(variance / n ** 2));
}

describe('the unit is the issue date', () => {
  test('a day is a UTC day; its value is the mean over the assets', () => {
    expect([0, 86_399_999, 86_400_000].map(issueDay)).toEqual([0, 0, 1]);
    expect(meansByDate([5, 3, 5], [1, 7, 2])).toEqual([
      { day: 3, value: 7 },
      { day: 5, value: 1.5 },
    ]);
  });

  test('dates are selected greedily, one horizon apart', () => {
    const dates = [0, 1, 6, 7, 8, 15, 30].map((day) => ({ day, value: 0 }));
    expect(nonOverlapping(dates, 7).map(({ day }) => day)).toEqual([0, 7, 15, 30]);
    expect(nonOverlapping(dates, 1)).toHaveLength(7);
    expect(nonOverlapping([], 7)).toEqual([]);
  });

  test.each([1, 7, 28, 180])('the lag for %d days is at least h − 1', (days) => {
    expect(dependenceDays(days)).toBeGreaterThanOrEqual(days - 1);
  });
});

describe('Diebold-Mariano', () => {
  test.each([1, 7])('matches its definition, horizon %d d, with and without gaps', (days) => {
    for (const dates of [noise(120, 1), noise(200, 2).filter(({ day }) => day % 9 > 2)]) {
      const result = dieboldMariano(dates, days);
      expect(result?.statistic).toBeCloseTo(byPairs(dates, days), 10);
      expect(result?.pAhead).toBeCloseTo(studentCdf(byPairs(dates, days), dates.length - 1), 10);
      expect(result?.n).toBe(dates.length);
    }
  });

  test('property: both tails add to 1 and swap with the sign', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 40, max: 150 }), (seed, n) => {
        const dates = noise(n, seed);
        const result = dieboldMariano(dates, 1);
        const mirrored = dieboldMariano(
          dates.map(({ day, value }) => ({ day, value: -value })),
          1,
        );
        expect((result?.pAhead ?? 0) + (result?.pBehind ?? 0)).toBeCloseTo(1, 12);
        expect(mirrored?.pAhead).toBeCloseTo(result?.pBehind ?? 0, 12);
      }),
    );
  });

  test('needs twice as many dates as lags, and some variance', () => {
    expect(dieboldMariano(noise(21, 1), 1)).toBeNull();
    expect(dieboldMariano(noise(22, 1), 1)).not.toBeNull();
    expect(dieboldMariano([], 1)).toBeNull();
    const constant = noise(100, 1).map(({ day }) => ({ day, value: 0.1 }));
    expect(dieboldMariano(constant, 1)).toBeNull();
    expect(nonOverlappingTest(constant, 28)).toBeNull();
  });
});

describe("Student's t on spaced dates", () => {
  test('worked example: −0.3 −0.1 −0.2 0 has t = −2.3238', () => {
    const dates = [-0.3, -0.1, -0.2, 0].map((value, i) => ({ day: i * 28, value }));
    const between = { day: 3, value: 99 };
    const result = nonOverlappingTest([dates[0] as DateMean, between, ...dates.slice(1)], 28);
    expect(result?.n).toBe(4);
    expect(result?.mean).toBeCloseTo(-0.15, 12);
    expect(result?.statistic).toBeCloseTo(-2.3237900077, 9);
    const angle = Math.atan(-2.3237900077 / Math.sqrt(3));
    expect(result?.pAhead).toBeCloseTo(0.5 + (angle + Math.sin(angle) * Math.cos(angle)) / Math.PI, 9);
  });

  test('needs two', () => {
    expect(nonOverlappingTest(noise(28, 1), 28)).toBeNull();
    expect(nonOverlappingTest(noise(29, 1), 28)?.n).toBe(2);
  });
});
