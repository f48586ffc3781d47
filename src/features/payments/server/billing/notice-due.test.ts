import { describe, expect, test } from 'vitest';

import { planStatusAt } from '#features/accounts/server/subscriptions/service.ts';

import { createGrant, DAY_MS, JANUARY_FIRST } from '#tests/support/grants.ts';
import { noticeDue } from './jobs.ts';
import { computePeriods, deriveFacts } from './plan-periods.ts';
import type { CardStanding } from './prices.ts';

const END = Date.UTC(2026, 1, 1);
const periods = computePeriods([createGrant({ at: JANUARY_FIRST, source: 'stripe:invoice:1' })]);
const ENDLESS = { source: 'admin', plan: 'premium', startsAt: new Date(JANUARY_FIRST), endsAt: null } as const;
const due = (days: number, card: CardStanding | null = null, others: (typeof ENDLESS)[] = []) => {
  const now = new Date(END + days * DAY_MS);
  const facts = [...deriveFacts(periods).values(), ...others].map((fact, id) => ({ ...fact, id }));
  return noticeDue({ periods, standing: planStatusAt(facts, now), card, now })?.kind;
};
const card = {
  plan: 'pro',
  months: 1,
  renewsAt: new Date(END).toISOString(),
  cancelled: false,
  pastDue: false,
} as const;

describe('the notice due', () => {
  test.each([
    [-7.01, undefined],
    [-7, 'plan-ends'],
    [-1.01, 'plan-ends'],
    [-1, 'plan-ends-soon'],
    [0, 'grace-begun'],
    [2.99, 'grace-begun'],
    [3, 'plan-ended'],
    [10, 'plan-ended'],
    [10.01, undefined],
  ])('%s days after the end: %s', (days, kind) => {
    expect(due(days)).toBe(kind);
  });

  test('no notice while the card renews the plan, even with the charge pending', () => {
    for (const days of [-7, -1, 0, 1]) expect(due(days, card)).toBeUndefined();
  });

  test('no notice for an unlimited plan granted by an administrator', () => {
    for (const days of [-7, -1, 0, 3]) expect(due(days, null, [ENDLESS])).toBeUndefined();
  });

  test('is sent when the card was canceled or declined', () => {
    for (const change of [{ cancelled: true }, { pastDue: true }]) {
      expect(due(-1, { ...card, ...change })).toBe('plan-ends-soon');
      expect(due(0, { ...card, ...change })).toBe('grace-begun');
    }
  });
});
