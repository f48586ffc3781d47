import { describe, expect, test } from 'vitest';

import { NOON } from '#ui/testing/figures.ts';

import { deliveryOf, preferencesOf } from './fixtures.ts';
import { listed, tookWords } from './labels.ts';
import { nextLook } from './queries.ts';
import { timingWords } from './timing-card.tsx';

const REST = '. High severity and other channels are sent immediately.';
const iso = (ms: number) => new Date(ms).toISOString();

test.each([
  [-3, '0 ms'],
  [45.4, '45 ms'],
  [1_249, '1.2 s'],
  [60_000, '1 min 0 s'],
  [200_000, '3 min 20 s'],
])('%d ms took %s', (ms, words) => expect(tookWords(ms)).toBe(words));

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is listed as %o', (words, text) => expect(listed(words)).toBe(text));

describe('describes what happens now, in sentences', () => {
  const off = { every: 'off', hour: 8, weekday: 1 } as const;
  const quiet = { enabled: true, from: '22:00', to: '07:00', letHighThrough: true };
  test.each([
    [{}, 'Alerts are sent immediately. No quiet hours.'],
    [
      { digest: { ...off, every: 'hourly' } },
      `Low and medium severity alerts are emailed as a digest every hour${REST} No quiet hours.`,
    ],
    [
      { timeZone: 'America/New_York', digest: { ...off, every: 'daily' } },
      `Low and medium severity alerts are emailed as a digest every day at 08:00 America/New York${REST} No quiet hours.`,
    ],
    [
      { quietHours: quiet },
      'Alerts are sent immediately. From 22:00 to 07:00 UTC only high severity is sent; the rest waits until 07:00.',
    ],
    [
      { quietHours: { ...quiet, letHighThrough: false } },
      'Alerts are sent immediately. From 22:00 to 07:00 UTC nothing is sent; everything waits until 07:00.',
    ],
    [{ quietHours: { ...quiet, to: '22:00' } }, 'Alerts are sent immediately. No quiet hours.'],
  ] as const)('with %j', (change, sentence) =>
    expect(timingWords(preferencesOf({ notificationPreferences: change }).notificationPreferences)).toBe(sentence),
  );
});

test.each([
  ['nothing waits', { state: 'sent' }, false],
  ['one is on its way', { state: 'handed', queuedAt: iso(NOON - 5_000) }, 3_000],
  ['one is on its way for long', { state: 'handed', queuedAt: iso(NOON - 300_000) }, 60_000],
  [
    'one waits for the morning',
    { state: 'waiting', queuedAt: iso(NOON - 5_000), dueAt: iso(NOON + 3_600_000) },
    60_000,
  ],
  ['one just came due', { state: 'waiting', queuedAt: iso(NOON - 3_600_000), dueAt: iso(NOON - 2_000) }, 3_000],
] as const)('while %s the log is refetched in time', (_what, change, ms) =>
  expect(nextLook([deliveryOf(1, change), deliveryOf(2)], NOON)).toBe(ms),
);
