import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { correlationMatrix, dailyReturns, pearson } from './correlation.ts';

const value = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const dayOf = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
const series = (values: readonly number[]) => new Map(values.map((each, i) => [dayOf(i), each]));

/** The textbook formula, one pair at a time. */
function naive(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [i, a] of x.entries()) {
    const b = y[i] as number;
    xy += (a - mx) * (b - my);
    xx += (a - mx) ** 2;
    yy += (b - my) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values) > 1e-3;
const pair = fc
  .integer({ min: 3, max: 60 })
  .chain((length) => {
    const row = fc.array(value, { minLength: length, maxLength: length });
    return fc.tuple(row, row);
  })
  .filter(([x, y]) => spread(x) && spread(y));

const rOf = (x: readonly number[], y: readonly number[]) => pearson(series(x), series(y)).r as number;

describe('pearson', () => {
  test('worked example: 1 2 3 4 5 and 2 4 5 4 5 are 0.7746', () => {
    expect(rOf([1, 2, 3, 4, 5], [2, 4, 5, 4, 5])).toBeCloseTo(0.7745966692, 9);
  });

  test('property: matches the textbook formula and lies within −1 and 1', () => {
    fc.assert(
      fc.property(pair, ([x, y]) => {
        const r = rOf(x, y);
        expect(r).toBeCloseTo(naive(x, y), 9);
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('property: symmetric; 1 with itself, −1 with its mirror', () => {
    fc.assert(
      fc.property(pair, ([x, y]) => {
        expect(rOf(x, y)).toBeCloseTo(rOf(y, x), 12);
        expect(rOf(x, x)).toBeCloseTo(1, 9);
        expect(
          rOf(
            x,
            x.map((each) => -each),
          ),
        ).toBeCloseTo(-1, 9);
      }),
    );
  });

  test('property: a shift and a positive scale change nothing, a negative one flips the sign', () => {
    const scale = fc.double({ min: 0.5, max: 50, noNaN: true });
    fc.assert(
      fc.property(pair, scale, value, ([x, y], factor, shift) => {
        const r = rOf(x, y);
        expect(
          rOf(
            x.map((each) => each * factor + shift),
            y,
          ),
        ).toBeCloseTo(r, 7);
        expect(
          rOf(
            x.map((each) => each * -factor + shift),
            y,
          ),
        ).toBeCloseTo(-r, 7);
      }),
    );
  });

  test('property: a constant series has no correlation', () => {
    fc.assert(
      fc.property(pair, value, ([x], level) => {
        const flat = x.map(() => level);
        expect(pearson(series(x), series(flat))).toEqual({ r: null, days: x.length });
        expect(pearson(series(flat), series(flat)).r).toBeNull();
      }),
    );
  });

  test('property: only days present in both count', () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 20 }), ([x, y], extra) => {
        const later = new Map(series(x));
        for (let i = 0; i < extra; i++) later.set(dayOf(1000 + i), i);
        expect(pearson(later, series(y))).toEqual(pearson(series(x), series(y)));
      }),
    );
  });

  test('fewer than two common days give none', () => {
    expect(pearson(series([0.1]), series([0.2]))).toEqual({ r: null, days: 1 });
    expect(pearson(series([]), series([0.2]))).toEqual({ r: null, days: 0 });
  });
});

describe('the whole matrix', () => {
  const rows = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 3, max: 40 }))
    .chain(([n, length]) =>
      fc.array(fc.array(value, { minLength: length, maxLength: length }), { minLength: n, maxLength: n }),
    );

  test('property: every pair matches the textbook formula; constant rows are NaN, the diagonal is 1', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const n = given.length;
        const matrix = correlationMatrix(given.map((row) => Float64Array.from(row)));
        for (const [i, x] of given.entries())
          for (const [j, y] of given.entries()) {
            const r = matrix[i * n + j] as number;
            if (!spread(x) || !spread(y)) continue;
            expect(r).toBeCloseTo(i === j ? 1 : naive(x, y), 9);
            expect(r).toBe(matrix[j * n + i]);
          }
      }),
    );
    const flat = correlationMatrix([Float64Array.of(1, 2, 3), Float64Array.of(4, 4, 4)]);
    expect([...flat]).toEqual([1, Number.NaN, Number.NaN, Number.NaN]);
  });
});

test('daily log returns: by their ending day; a missing day drops both', () => {
  const closes = [
    [0, 100],
    [1, 110],
    [3, 120],
    [4, 60],
  ].map(([i, close]) => ({ day: dayOf(i as number), close: close as number, volume: null }));
  const returns = dailyReturns(closes);
  expect([...returns.keys()]).toEqual([dayOf(1), dayOf(4)]);
  expect(returns.get(dayOf(1))).toBeCloseTo(Math.log(1.1), 12);
  expect(returns.get(dayOf(4))).toBeCloseTo(Math.log(0.5), 12);
});
