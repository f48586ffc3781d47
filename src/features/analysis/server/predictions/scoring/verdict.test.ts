import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { holm } from './all.ts';
import { tailsOf, verdictOf } from './compare.ts';

describe('Holm', () => {
  test('worked example', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(p, 12);
  });

  test('untestable cells count in the family', () => {
    expect(holm([0.02])).toEqual([0.02]);
    expect(holm([0.02, null, null])).toEqual([0.06, null, null]);
    expect(holm([])).toEqual([]);
  });

  test('property: between p and Bonferroni, at most 1, in the order of p, regardless of cell order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }), (ps) => {
        const adjusted = holm(ps) as number[];
        for (const [i, p] of ps.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, ps.length * p) + 1e-15);
          for (const [j, q] of ps.entries()) if (p <= q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number);
        }
        expect(holm(ps.toReversed())).toEqual(adjusted.toReversed());
      }),
    );
  });
});

describe('the verdicts', () => {
  test.each([
    ['24h', 59, { ahead: 0.0001, behind: 1 }, 'no evidence'],
    ['24h', 60, { ahead: 0.0001, behind: 1 }, 'ahead'],
    ['24h', 60, { ahead: 1, behind: 0.049 }, 'behind'],
    ['24h', 365, { ahead: 0.05, behind: 1 }, 'no evidence'],
    ['24h', 365, { ahead: 0.049, behind: 1 }, 'ahead'],
    ['24h', 365, null, 'no evidence'],
    ['7d', 52, { ahead: 0.0001, behind: 1 }, 'no evidence'],
    ['7d', 104, { ahead: 0.0001, behind: 1 }, 'ahead'],
    ['28d', 400, { ahead: 0.0001, behind: 1 }, 'too few independent windows'],
    ['180d', 0, null, 'too few independent windows'],
  ] as const)('%s with %d windows and %o: %s', (horizon, nEff, adjusted, word) => {
    expect(verdictOf(horizon, nEff, adjusted)).toBe(word);
  });

  test('Diebold-Mariano and the bootstrap must agree: the larger p of each tail counts', () => {
    const tests = { dm: { pAhead: 0.01, pBehind: 0.99 }, bootstrap: { pAhead: 0.2, pBehind: 0.8 } };
    const clear = { dm: { pAhead: 0, pBehind: 1 }, bootstrap: { pAhead: 0, pBehind: 1 } };
    expect(tailsOf(tests, clear)).toEqual({ ahead: 0.2, behind: 0.99 });
    expect(tailsOf({ ...tests, dm: null }, clear)).toBeNull();
    expect(tailsOf({ ...tests, bootstrap: null }, clear)).toBeNull();
  });

  test('a track that is ahead beats every baseline; one behind the base rate is behind', () => {
    const ahead = { dm: { pAhead: 0.001, pBehind: 0.999 }, bootstrap: { pAhead: 0.002, pBehind: 0.998 } };
    const behind = { dm: { pAhead: 0.999, pBehind: 0.001 }, bootstrap: { pAhead: 0.998, pBehind: 0.002 } };
    const level = { dm: { pAhead: 0.4, pBehind: 0.6 }, bootstrap: { pAhead: 0.5, pBehind: 0.5 } };
    expect(tailsOf(ahead, level)?.ahead).toBe(0.5);
    expect(tailsOf(ahead, level, ahead)?.ahead).toBe(0.5);
    expect(tailsOf(ahead, ahead, level)?.ahead).toBe(0.5);
    expect(tailsOf(ahead, { dm: null, bootstrap: null })?.ahead).toBe(1);
    expect(tailsOf(behind, level)?.behind).toBe(0.002);
  });
});
