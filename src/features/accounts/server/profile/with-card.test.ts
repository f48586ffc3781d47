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

describe('a plan that a card pays for', () => {
  test('needs no renewal while the card renews it by itself, also while the card is being asked', () => {
    expect(withCard(running, card)).toEqual({ ...running, needsRenewal: false });
    expect(withCard(grace, card)).toEqual({ ...grace, needsRenewal: false });
  });

  test('needs it once the card was declined', () => {
    expect(withCard(grace, { ...card, pastDue: true })).toBe(grace);
  });

  test('is cancelled until its end, and needs renewal near it', () => {
    const cancelled = { ...card, cancelled: true };
    expect(withCard(running, cancelled)).toEqual({ ...running, status: 'cancelled' });
    expect(withCard(grace, cancelled)).toBe(grace);
  });

  test('says nothing of another plan, nor of none', () => {
    const premium: PlanStatus = { ...running, plan: 'premium' };
    expect(withCard(premium, { ...card, cancelled: true })).toBe(premium);
    expect(withCard(running, null)).toBe(running);
  });
});
