import { expect, test } from 'vitest';

import { agreement, percents, scaleStep } from './labels.ts';

test.each([
  ['NEUTRAL', 95, 0],
  ['BULLISH', 44, 1],
  ['BULLISH', 45, 2],
  ['BEARISH', 59, -2],
  ['BEARISH', 60, -3],
] as const)('%s at %d is at step %d', (direction, confidence, step) => {
  expect(scaleStep(direction, confidence)).toBe(step);
});

test.each([
  [{ up: 0.335, flat: 0.33, down: 0.335 }],
  [{ up: 0.005, flat: 0, down: 0.995 }],
  [{ up: 1 / 3, flat: 1 / 3, down: 1 / 3 }],
])('percentages of %j sum to 100', (of) => {
  const { up, flat, down } = percents(of);
  expect(up + flat + down).toBe(100);
  expect(Math.min(up, flat, down)).toBeGreaterThanOrEqual(0);
});

test.each([
  [null, 'Single analyst'],
  [0.1, 'Analysts agree (dispersion 0.10 of 2)'],
  [0.2, 'Analysts differ (dispersion 0.20 of 2)'],
  [0.4, 'Analysts are split (dispersion 0.40 of 2)'],
])('dispersion %s in words', (dispersion, words) => {
  expect(agreement(dispersion)).toBe(words);
});
