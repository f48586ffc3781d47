import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';

import { brier, brierSkill, calledOutcome, isHit, logScore, rankedProbability } from './scores.ts';
import { someOutcome, someProbabilities } from './testing/arbitraries.ts';

const p = (up: number, flat: number, down: number): Probabilities => ({ up, flat, down });
const OUTCOMES: Outcome[] = ['down', 'flat', 'up'];
const expected = (truth: Probabilities, score: (outcome: Outcome) => number) =>
  OUTCOMES.reduce((sum, outcome) => sum + truth[outcome] * score(outcome), 0);

describe('scores of a single call', () => {
  test.each([
    ['certain and right', p(1, 0, 0), 'up', 0, 0, 0],
    ['certain and opposite', p(1, 0, 0), 'down', 2, 2, -Math.log(1e-3)],
    ['certain and one class off', p(1, 0, 0), 'flat', 2, 1, -Math.log(1e-3)],
    ['uniform, up', p(1 / 3, 1 / 3, 1 / 3), 'up', 2 / 3, 5 / 9, Math.log(3)],
    ['uniform, flat', p(1 / 3, 1 / 3, 1 / 3), 'flat', 2 / 3, 2 / 9, Math.log(3)],
    ['0.5 0.3 0.2, down', p(0.5, 0.3, 0.2), 'down', 0.98, 0.89, -Math.log(0.2)],
  ] as const)('%s', (_, probabilities, outcome, brierScore, rps, log) => {
    expect(brier(probabilities, outcome)).toBeCloseTo(brierScore, 12);
    expect(rankedProbability(probabilities, outcome)).toBeCloseTo(rps, 12);
    expect(logScore(probabilities, outcome)).toBeCloseTo(log, 12);
  });

  test('property: Brier and ranked probability scores lie within 0 and 2', () => {
    fc.assert(
      fc.property(someProbabilities, someOutcome, (said, outcome) => {
        for (const score of [brier(said, outcome), rankedProbability(said, outcome)]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(2 + 1e-12);
        }
      }),
    );
  });

  test.each([
    ['Brier', brier],
    ['ranked probability', rankedProbability],
    ['log', logScore],
  ])('property: %s is proper, honest forecasts are never worse in expectation', (_, score) => {
    fc.assert(
      fc.property(
        someProbabilities.filter(({ up, flat, down }) => Math.min(up, flat, down) > 1e-3),
        someProbabilities,
        (truth, said) => {
          const honest = expected(truth, (outcome) => score(truth, outcome));
          // A clipped log may be beaten by the mass it forgives, at most 2 × 0.001.
          const clipped = score === logScore ? 2.1e-3 : 1e-12;
          expect(expected(truth, (outcome) => score(said, outcome))).toBeGreaterThanOrEqual(honest - clipped);
        },
      ),
    );
  });
});

test.each([
  [p(0.5, 0.3, 0.2), 'up'],
  [p(0.2, 0.3, 0.5), 'down'],
  [p(0.2, 0.6, 0.2), 'flat'],
  [p(0.4, 0.4, 0.2), 'flat'],
  [p(0.2, 0.4, 0.4), 'flat'],
  [p(0.4, 0.2, 0.4), 'flat'],
  [p(1 / 3, 1 / 3, 1 / 3), 'flat'],
] as const)('hits: %o calls %s: a tie for first place is flat', (probabilities, called) => {
  expect(calledOutcome(probabilities)).toBe(called);
  for (const outcome of OUTCOMES) expect(isHit(probabilities, outcome)).toBe(outcome === called);
});

test.each([
  [0, [0.6], 1],
  [0.6, [0.6], 0],
  [0.9, [0.6], -0.5],
  [0.65, [0.7, 0.66, 0.65], 0],
  [0.67, [0.7, 0.72, 2 / 3], -0.005],
  [0.5, [0.6, 0], null],
] as [number, [number, ...number[]], number | null][])(
  'Brier skill: a score of %d against the best of %o is %s',
  (score, references, skill) => {
    if (skill === null) expect(brierSkill(score, ...references)).toBeNull();
    else expect(brierSkill(score, ...references)).toBeCloseTo(skill, 12);
  },
);
