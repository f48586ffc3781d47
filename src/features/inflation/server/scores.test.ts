import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { scoreRow } from './service/scores.ts';

const WHO = { forecaster: 'venice', name: 'Venice', yardstick: false, says: null };
const months = (misses: readonly number[], from = 0) => new Map(misses.map((miss, i) => [String(from + i), miss]));
const steady = (n: number, miss: number) => months(Array.from({ length: n }, (_, i) => miss + (i % 2 ? 0.01 : -0.01)));

describe('a record row', () => {
  test.each([
    [0, null, false],
    [7, 'too few', false],
    [8, 'too few', true],
    [59, 'too few', true],
    [60, 'ahead', true],
  ])('%d months: %s, with an interval: %s', (n, verdict, hasInterval) => {
    const row = scoreRow(WHO, steady(n, 0.1), months(Array.from({ length: n }, () => 0.3)));
    expect(row).toMatchObject({ n, skill: { n, verdict: verdict ?? 'too few' } });
    expect([row.mae === null, row.low !== null, row.skill?.low !== null]).toEqual([n === 0, hasInterval, hasInterval]);
  });

  test('sixty worse months are behind; sixty that differ only by chance are no evidence', () => {
    const naive = months(Array.from({ length: 60 }, () => 0.1));
    expect(scoreRow(WHO, steady(60, 0.3), naive).skill).toMatchObject({ difference: 0.2, verdict: 'behind' });
    expect(scoreRow(WHO, steady(60, 0.1), naive).skill).toMatchObject({ difference: 0, verdict: 'no evidence' });
  });

  test('compares only months that both have', () => {
    const { n, skill } = scoreRow(WHO, months([0.1, 0.2, 0.3]), months([0.5, 0.5], 1));
    expect([n, skill?.n, skill?.difference]).toEqual([3, 2, -0.25]);
    expect(scoreRow(WHO, months([0.1]), null).skill).toBeNull();
  });

  test('no skill gets no verdict: sixty months of the same noise are ahead or behind at most one time in fifty', () => {
    let words = 0;
    const runs = 400;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 0.5, noNaN: true }), fc.double({ min: 0, max: 0.5, noNaN: true })), {
          minLength: 60,
          maxLength: 60,
        }),
        (pairs) => {
          const { skill } = scoreRow(WHO, months(pairs.map(([a]) => a)), months(pairs.map(([, b]) => b)));
          if (skill?.verdict !== 'no evidence') words++;
        },
      ),
      { numRuns: runs, seed: 5 },
    );
    expect(words / runs).toBeLessThan(0.02);
  });
});
