import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spearman } from './compare.ts';
import { pesaranTimmermann } from './track.ts';

const dated = (values: readonly number[]) => values.map((value, day) => ({ day, value }));
const tested = (leans: readonly number[], returns: readonly number[], days = 1) => {
  const result = pesaranTimmermann(dated(leans), dated(returns), days);
  if (result === 'not testable') throw new Error(result);
  return result;
};
const repeat = (n: number, of: readonly number[]) => Array.from({ length: n }, () => of).flat();

describe('Pesaran-Timmermann', () => {
  test('worked example: 7 of 10 right, 5 expected', () => {
    const leans = [1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
    const returns = [1, 1, 1, 1, -1, -1, -1, -1, 1, 1];
    const result = tested(leans, returns);
    expect(result).toMatchObject({ n: 10, successRate: 0.7, expected: 0.5 });
    expect(result.statistic).toBeCloseTo(0.2 / Math.sqrt((4 * 0.5 * 0.5 * 0.6 * 0.4 * 9) / 100), 10);
  });

  test.each([
    ['always bullish', [0.4, 0.1, 0.3], [1, -1, 1]],
    ['always bearish', [-0.4, -0.1, -0.3], [1, -1, 1]],
    ['a market that only rose', [0.4, -0.1, 0.3], [1, 2, 1]],
    ['no direction called', [0, 0, 0], [1, -1, 1]],
    ['nothing', [], []],
  ])('%s is not testable', (_, leans, returns) => {
    expect(pesaranTimmermann(dated(leans), dated(returns), 1)).toBe('not testable');
  });

  test('70% hits of a mostly bullish analyst in a rising market are no skill', () => {
    const tenDays = (last: number) => [1, 1, 1, 1, 1, 1, 1, -1, -1, last];
    const result = tested(repeat(10, [1, 1, 1, 1, 1, 1, 1, 1, 1, -1]), repeat(2, [1, 1, 1, 1, -1].flatMap(tenDays)));
    expect(result.successRate).toBeGreaterThan(0.7);
    expect(result.pAhead).toBeGreaterThan(0.3);
  });

  test('dates with overlapping windows count once', () => {
    const leans = Array.from({ length: 70 }, (_, i) => (i % 14 < 7 ? 1 : -1));
    expect(tested(leans, leans, 7)).toMatchObject({ n: 10, successRate: 1 });
  });

  test('property: its square is n²/(n − 1) times that of φ in the table', () => {
    const sign = fc.constantFrom(-1, 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(sign, sign), { minLength: 4, maxLength: 80 }), (pairs) => {
        const leans = pairs.map(([lean]) => lean);
        const returns = pairs.map(([, r]) => r);
        const phi = spearman(leans, returns);
        fc.pre(phi !== null);
        const { n, statistic, pAhead, pBehind } = tested(leans, returns);
        expect(statistic).toBeCloseTo((phi * n) / Math.sqrt(n - 1), 8);
        expect(pAhead + pBehind).toBeCloseTo(1, 12);
      }),
    );
  });
});

describe('Spearman', () => {
  test('worked example with ties: 1 2 2 4 and 10 30 20 40 are 0.9487', () => {
    expect(spearman([1, 2, 2, 4], [10, 30, 20, 40])).toBeCloseTo(0.9486832981, 9);
  });

  test('needs three pairs and variance on both sides', () => {
    expect(spearman([1, 2], [1, 2])).toBeNull();
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull();
  });

  test('property: only the order counts, and reversing it changes the sign', () => {
    const pair = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 3, maxLength: 40 }), (pairs) => {
        const [x, y] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
        const r = spearman(x, y);
        fc.pre(r !== null);
        expect(
          spearman(
            x.map((a) => Math.exp(a)),
            y.map((b) => b ** 3),
          ),
        ).toBeCloseTo(r, 12);
        expect(
          spearman(
            x,
            y.map((b) => -b),
          ),
        ).toBeCloseTo(-r, 12);
        expect(Math.abs(r)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
