import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Probabilities } from '#features/analysis/contract/predictions.ts';

import { dispersion, linearPool } from './pool.ts';
import { brier } from './scores.ts';
import { someOutcome, someProbabilities } from './testing/arbitraries.ts';

const BULL: Probabilities = { up: 1, flat: 0, down: 0 };
const BEAR: Probabilities = { up: 0, flat: 0, down: 1 };
const EVEN: Probabilities = { up: 0.25, flat: 0.5, down: 0.25 };

const members = fc.array(someProbabilities, { minLength: 1, maxLength: 7 });
const weighted = fc.array(fc.tuple(someProbabilities, fc.double({ min: 0.01, max: 5, noNaN: true })), {
  minLength: 1,
  maxLength: 7,
});
const pooled = (of: readonly Probabilities[], weights?: readonly number[]) => linearPool(of, weights) as Probabilities;

/** Mean over all pairs, one at a time. */
function pairwise(of: readonly Probabilities[]): number {
  let [sum, pairs] = [0, 0];
  for (const [i, a] of of.entries())
    for (const b of of.slice(i + 1)) {
      sum += Math.abs(a.up - a.down - (b.up - b.down));
      pairs++;
    }
  return sum / pairs;
}

describe('linear pool', () => {
  test('is the mean, or the weighted mean', () => {
    expect(pooled([BULL, EVEN])).toEqual({ up: 0.625, flat: 0.25, down: 0.125 });
    expect(pooled([BULL, BEAR], [3, 1])).toEqual({ up: 0.75, flat: 0, down: 0.25 });
    expect(linearPool([])).toBeNull();
    expect(linearPool([BULL], [0])).toBeNull();
  });

  test('property: sums to 1 and stays within its members’ range', () => {
    fc.assert(
      fc.property(weighted, (pairs) => {
        const of = pairs.map(([each]) => each);
        const pool = pooled(
          of,
          pairs.map(([, weight]) => weight),
        );
        expect(pool.up + pool.flat + pool.down).toBeCloseTo(1, 12);
        for (const outcome of ['up', 'flat', 'down'] as const) {
          const said = of.map((each) => each[outcome]);
          expect(pool[outcome]).toBeGreaterThanOrEqual(Math.min(...said) - 1e-12);
          expect(pool[outcome]).toBeLessThanOrEqual(Math.max(...said) + 1e-12);
        }
      }),
    );
  });

  test('property: member order affects neither pool nor dispersion', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 0, max: 6 }), (of, turn) => {
        const turned = [...of.slice(turn), ...of.slice(0, turn)].toReversed();
        for (const outcome of ['up', 'flat', 'down'] as const)
          expect(pooled(turned)[outcome]).toBeCloseTo(pooled(of)[outcome], 12);
        if (of.length > 1) expect(dispersion(turned)).toBeCloseTo(dispersion(of) as number, 12);
      }),
    );
  });

  test('property: the pool scores no worse than its members’ average, whatever happens', () => {
    fc.assert(
      fc.property(weighted, someOutcome, (pairs, outcome) => {
        const weights = pairs.map(([, weight]) => weight);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const mean = pairs.reduce((sum, [each, weight]) => sum + (weight / total) * brier(each, outcome), 0);
        const pool = pooled(
          pairs.map(([each]) => each),
          weights,
        );
        expect(brier(pool, outcome)).toBeLessThanOrEqual(mean + 1e-12);
      }),
    );
  });
});

describe('dispersion', () => {
  test('needs two', () => {
    expect([dispersion([]), dispersion([BULL])]).toEqual([null, null]);
  });

  test('property: is the mean distance of all pairs, between 0 and 2', () => {
    fc.assert(
      fc.property(fc.array(someProbabilities, { minLength: 2, maxLength: 8 }), (of) => {
        expect(dispersion(of)).toBeCloseTo(pairwise(of), 10);
        expect(dispersion(of)).toBeGreaterThanOrEqual(0);
        expect(dispersion(of)).toBeLessThanOrEqual(2);
      }),
    );
  });
});
