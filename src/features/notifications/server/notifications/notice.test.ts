import { expect, test } from 'vitest';

import { shortTitle } from './notice.ts';

test.each([
  ['short enough', ' on 2 December', 'short enough on 2 December'],
  ['word '.repeat(20), '', `${'word '.repeat(16).trim()}…`],
  [
    'SEC to Host Crypto Task Force Roundtable on the Rules of Trading on December 12, 2026',
    ' on 12 December',
    'SEC to Host Crypto Task Force Roundtable on the Rules of Trading… on 12 December',
  ],
  [`${'x'.repeat(66)} 12 December 2026`, '', `${'x'.repeat(66)}…`],
  ['x'.repeat(90), '', `${'x'.repeat(79)}…`],
])('the title %s is cut between words, never inside a date', (title, end, short) => {
  expect(shortTitle(title, end)).toBe(short);
  expect(Array.from(shortTitle(title, end)).length).toBeLessThanOrEqual(80);
});
