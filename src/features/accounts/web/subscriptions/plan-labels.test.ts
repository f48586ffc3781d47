import { describe, expect, test } from 'vitest';

import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionOf } from './fixtures.ts';
import { endNote, periodEnd, planThatEnds } from './plan-labels.ts';

const END = '2026-12-21T10:00:00.000Z';
const running: Partial<Subscription> = { currentPeriodEnd: END, daysUntilExpiry: 30 };

describe('the end of the period', () => {
  test.each([
    ['free', {}, 'Free, no end date'],
    ['pro', running, '21 Dec 2026'],
    ['premium', {}, 'No end date'],
    ['admin', {}, 'No end date'],
    ['free', { status: 'expired', expiredAt: END }, 'Ended on 21 Dec 2026'],
    ['pro', { status: 'grace', expiredAt: END }, 'Ended on 21 Dec 2026'],
  ] as const)('%s %o: %s', (plan, change, words) => {
    expect(periodEnd(subscriptionOf(plan, change))).toBe(words);
  });
});

describe('the note about the end', () => {
  test.each([
    ['pro', running, null],
    ['pro', { ...running, needsRenewal: true, daysUntilExpiry: 5 }, 'Pro ends in 5 days.'],
    ['pro', { ...running, needsRenewal: true, daysUntilExpiry: 1 }, 'Pro ends in 1 day.'],
    ['pro', { ...running, needsRenewal: true, daysUntilExpiry: 0 }, 'Pro ends today.'],
    [
      'premium',
      { ...running, status: 'cancelled' },
      'Premium+ is canceled. It stays active until 21 Dec 2026, then your account moves to Free.',
    ],
    [
      'free',
      { status: 'expired', expiredAt: END, needsRenewal: true },
      'Your paid plan ended on 21 Dec 2026. Everything you created is kept and returns when you renew.',
    ],
    [
      'pro',
      { status: 'grace', expiredAt: END, needsRenewal: true },
      'Pro ended on 21 Dec 2026 and is in its grace period. Renew now to avoid interruption.',
    ],
    ['free', {}, null],
    ['admin', {}, null],
  ] as const)('%s %o: %s', (plan, change, words) => {
    expect(endNote(subscriptionOf(plan, change))).toBe(words);
  });
});

describe('what deleting the account ends', () => {
  const none = { credit: '0.00', card: null };
  const card = { cancelled: false };
  const ends = 'Your Premium+ plan ends with the account. Unused time is not refunded.';
  const charged = 'Your card subscription is canceled immediately and you won’t be charged again.';
  test.each([
    ['free', {}, none, null],
    ['admin', {}, none, null],
    ['premium', {}, none, ends],
    ['premium', {}, { ...none, card }, `${ends} ${charged}`],
    ['premium', {}, { ...none, card: { cancelled: true } }, ends],
    [
      'premium',
      {},
      undefined,
      `${ends} If you pay by card: your card subscription is canceled immediately and you won’t be charged again.`,
    ],
    ['free', { status: 'expired' }, { credit: '0.00', card }, charged],
    ['free', {}, { ...none, credit: '12.50' }, 'The $12.50 on your balance can no longer be used after that.'],
    [
      'pro',
      running,
      none,
      'Your Pro plan, active until 21 Dec 2026, ends with the account. Unused time is not refunded.',
    ],
  ] as const)('%s %o %o: %s', (plan, change, money, words) => {
    expect(planThatEnds(subscriptionOf(plan, change), money)).toBe(words);
  });
});
