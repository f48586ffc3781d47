import fc from 'fast-check';

import type { Outcome, Probabilities } from '#features/analysis/contract/predictions.ts';

const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Now and then with a class at exactly 0 or 1. */
export const someProbabilities: fc.Arbitrary<Probabilities> = fc
  .tuple(part, part, part)
  .filter(([a, b, c]) => a + b + c > 1e-6)
  .map(([a, b, c]) => ({ up: a / (a + b + c), flat: b / (a + b + c), down: c / (a + b + c) }));

export const someOutcome = fc.constantFrom<Outcome>('up', 'flat', 'down');
