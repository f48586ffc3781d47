import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { figures } from './figures.ts';

const born = {
  metric: 'ssr',
  source: 'Meridian',
  observedAt: '2026-11-20T12:00:00.000Z',
  fetchedAt: '2026-11-20T12:00:01.000Z',
  method: 'computed',
  staleAfter: '2026-11-20T18:00:00.000Z',
};
const unknown = { metric: 'ssr', reason: 'No source has provided this value yet' };
const card = figures(['value', 'change'], { words: z.string() });
const value = (change: object) => ({
  value: 1,
  change: null,
  words: 'w',
  meta: { value: born, change: unknown },
  ...change,
});

describe('figures', () => {
  test('a number with its provenance and a null with its reason pass', () => {
    expect(card.parse(value({}))).toEqual(value({}));
    expect(card.parse(value({ value: 0 })).value).toBe(0);
  });

  test.each([
    ['a number without any', { meta: { change: unknown } }, 'value has no source and age'],
    ['a number with a reason instead', { meta: { value: unknown, change: unknown } }, 'value has no source and age'],
    ['a null without a reason', { meta: { value: born } }, 'change is null without a reason'],
    ['a null with a source instead', { meta: { value: born, change: born } }, 'change is null without a reason'],
    ['a source without a time', { meta: { value: { ...born, observedAt: undefined }, change: unknown } }, ''],
    ['a value that is no number', { value: '1' }, ''],
    ['a value that is not finite', { value: Number.POSITIVE_INFINITY }, ''],
  ])('rejects %s', (_, change, message) => {
    const parsed = card.safeParse(value(change));
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain(message);
  });
});
