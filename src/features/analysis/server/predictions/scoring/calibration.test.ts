import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Calibration, calibrationOf } from './calibration.ts';

const pairs = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 20 }).map((x) => x / 20),
    fc.boolean(),
  ),
  { minLength: 1, maxLength: 60 },
);

const of = (given: readonly (readonly [number, boolean])[]) =>
  calibrationOf(
    given.map(([p]) => p),
    given.map(([, event]) => event),
  ) as Calibration;

/** Isotonic regression by the min-max formula: max over lower starts of min over upper ends of the mean between. */
function minMax(given: readonly (readonly [number, boolean])[], at: number): number {
  const values = [...new Set(given.map(([p]) => p))];
  const mean = (from: number, to: number) => {
    const inside = given.filter(([p]) => p >= from && p <= to);
    return inside.filter(([, event]) => event).length / inside.length;
  };
  return Math.max(
    ...values
      .filter((from) => from <= at)
      .map((from) => Math.min(...values.filter((to) => to >= at).map((to) => mean(from, to)))),
  );
}

describe('calibration', () => {
  test('worked example', () => {
    const { points, ...parts } = of([
      [0.2, false],
      [0.2, true],
      [0.4, false],
      [0.6, true],
      [0.9, true],
    ]);
    expect(points).toEqual([
      { from: 0.2, to: 0.4, forecast: expect.closeTo(0.8 / 3, 12), observed: 1 / 3, count: 3 },
      { from: 0.6, to: 0.9, forecast: 0.75, observed: 1, count: 2 },
    ]);
    expect(parts.brier).toBeCloseTo((0.04 + 0.64 + 0.16 + 0.16 + 0.01) / 5, 12);
    expect(parts.uncertainty).toBeCloseTo(0.24, 12);
    expect(parts.discrimination).toBeCloseTo(0.24 - (3 * (2 / 9)) / 5, 12);
  });

  test('no forecasts, no calibration', () => {
    expect(calibrationOf([], [])).toBeNull();
  });

  test('property: Brier = miscalibration − discrimination + uncertainty, to 1e-12, each by its own definition', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const { brier, miscalibration, discrimination, uncertainty } = of(given);
        const n = given.length;
        const meanOf = (value: (pair: readonly [number, boolean]) => number) =>
          given.reduce((sum, pair) => sum + value(pair), 0) / n;
        const base = meanOf(([, event]) => Number(event));
        const raw = meanOf(([p, event]) => (p - Number(event)) ** 2);
        const recalibrated = meanOf(([p, event]) => (minMax(given, p) - Number(event)) ** 2);
        const climate = meanOf(([, event]) => (base - Number(event)) ** 2);
        expect(Math.abs(brier - (miscalibration - discrimination + uncertainty))).toBeLessThan(1e-12);
        expect(Math.abs(brier - raw)).toBeLessThan(1e-12);
        expect(Math.abs(miscalibration - (raw - recalibrated))).toBeLessThan(1e-12);
        expect(Math.abs(discrimination - (climate - recalibrated))).toBeLessThan(1e-12);
        expect(Math.min(miscalibration, discrimination)).toBeGreaterThan(-1e-12);
      }),
      { numRuns: 200 },
    );
  });

  test('property: the curve rises, counts every forecast once and ignores their order', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const { points } = of(given);
        expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
        for (const [i, point] of points.entries()) {
          expect(point.observed).toBeCloseTo(minMax(given, point.from), 12);
          const next = points[i + 1];
          if (!next) continue;
          expect(next.from).toBeGreaterThan(point.to);
          expect(next.observed).toBeGreaterThan(point.observed);
        }
        expect(of(given.toReversed()).points.map(({ observed, count }) => [observed, count])).toEqual(
          points.map(({ observed, count }) => [observed, count]),
        );
      }),
    );
  });
});
