// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, test } from 'vitest';

import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';

import { PlanBadge } from './dashboard-head.tsx';

afterEach(cleanup);

const known = (...of: Parameters<typeof subscriptionOf>): Account => ({
  state: 'known',
  subscription: subscriptionOf(...of),
});
const show = (account: Account) =>
  render(
    <MemoryRouter>
      <PlanBadge account={account} />
    </MemoryRouter>,
  ).container;

describe('the plan badge', () => {
  test.each([
    ['plan admin', known('admin', { role: 'user', isAdmin: false }), 'ADMIN', null],
    ['role admin', known('free', { role: 'admin' }), 'ADMIN', null],
    ['isAdmin', known('pro', { isAdmin: true }), 'ADMIN', null],
    ['pro', known('pro'), 'Upgrade to Premium+', '/app/subscription'],
    ['premium', known('premium'), 'Premium+', null],
    ['free', known('free'), 'Free', null],
    ['signed in without a subscription status', { state: 'unknown', failed: true } as const, 'Coming Soon', null],
    ['anonymous', { state: 'anonymous' } as const, 'Upgrade to Pro', '/app/subscription'],
  ])('%s', (_, account, text, to) => {
    expect(show(account).textContent).toBe(text);
    expect(screen.queryByRole('link')?.getAttribute('href') ?? null).toBe(to);
  });

  test('keeps its place while the account is read', () => {
    const badge = show({ state: 'unknown', failed: false });
    expect(badge.textContent).toBe('');
    expect(badge.firstElementChild?.className).toContain('min-h-8');
  });
});
