import { expect, test } from 'vitest';

import { retryDelay } from './watch.ts';

test.each([
  ['no failure', 0, true, 5_000],
  ['nodes that fail once', 1, true, 10_000],
  ['nodes that fail for long', 9, true, 60_000],
  ['a database that was away for long', 9, false, 5_000],
])('backs off correctly after %s', (_what, failures, isNetwork, ms) => {
  expect(retryDelay(failures, 5_000, isNetwork)).toBe(ms);
});

test('an interval longer than a minute is respected', () => {
  expect([retryDelay(0, 90_000, true), retryDelay(3, 90_000, false)]).toEqual([90_000, 90_000]);
});
