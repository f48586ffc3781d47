import { describe, expect, test } from 'vitest';

import type { PlanStatus } from '#features/accounts/server/subscriptions/service.ts';

import { withCard } from './service.ts';

const END = new Date('2026-11-23T12:00:00Z');
const running: PlanStatus = {
  plan: 'pro',
  status: 'active',
  currentPeriodEnd: END,
  expiredAt: null,
  daysUntilExpiry: 3,
  needsRenewal: true,
  holdsUntil: END,
};
const grace: PlanStatus = {
  ...running,
  status: 'grace',
  currentPeriodEnd: null,
  expiredAt: END,
  daysUntilExpiry: null,
};
const card = { plan: 'pro', months: 1, renewsAt: END.toISOString(), cancelled: false, pastDue: false } as const;

describe('a plan paid by card', () => {
  test('needs no renewal while the card renews automatically, also while the charge is pending', () => {
    expect(withCard(running, card)).toEqual({ ...running, needsRenewal: false });
    expect(withCard(grace, card)).toEqual({ ...grace, needsRenewal: false });
  });

  test('needs renewal once the card is declined', () => {
    expect(withCard(grace, { ...card, pastDue: true })).toBe(grace);
  });

  test('counts as canceled until it ends, and needs renewal near the end', () => {
    const cancelled = { ...card, cancelled: true };
    expect(withCard(running, cancelled)).toEqual({ ...running, status: 'cancelled' });
    expect(withCard(grace, cancelled)).toBe(grace);
  });

  test('has no effect on other plans or on no plan', () => {
    const premium: PlanStatus = { ...running, plan: 'premium' };
    expect(withCard(premium, { ...card, cancelled: true })).toBe(premium);
    expect(withCard(running, null)).toBe(running);
  });
});
