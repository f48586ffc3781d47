// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { type Answer, broken } from '#ui/testing/answers.ts';
import { address, LATE } from '../testing/acts.ts';
import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';
import { rememberCheckout } from './checkout-memory.ts';

const END = '2026-12-21T12:00:00.000Z';
const LATER = '2027-01-21T12:00:00.000Z';

beforeEach(() => freezeTime());
afterEach(() => {
  sessionStorage.clear();
  closeApp();
});

const panel = (name: string) => screen.findByRole('heading', { level: 2, name }, LATE);

/** Comes back from the checkout; `is` tells the account from then on. */
function comeBack(is: Subscription, how = 'success') {
  let account: Answer = () => Response.json(is);
  openApp({
    at: `/app/subscription?checkout=${how}`,
    as: 'free',
    calls: { '/api/subscription': (url, init) => account(url, init) },
  });
  return (next: Subscription | Answer) => {
    account = typeof next === 'function' ? next : () => Response.json(next);
  };
}

describe('back from a checkout that was paid', () => {
  test('waits for the plan, not for the redirect; then says until when, once', async () => {
    rememberCheckout('pro', 1, subscriptionOf('free'));
    const becomes = comeBack(subscriptionOf('free'));
    await panel('Confirming your payment');
    expect(screen.queryByText(/^Welcome to/)).toBeNull();
    becomes(subscriptionOf('pro', { currentPeriodEnd: END }));
    const heading = await panel('You are on Pro');
    expect(heading.parentElement?.textContent).toContain('Paid until 21 Dec 2026.');
    expect(await screen.findByText('Welcome to Pro! Your plan is active.', {}, LATE)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toBe('/app/subscription'));
    expect(screen.queryByText('You are on Pro')).toBeNull();
  });

  test('months that are added count when the end has moved', async () => {
    const before = subscriptionOf('pro', { currentPeriodEnd: END });
    rememberCheckout('pro', 1, before);
    const becomes = comeBack(before);
    await panel('Confirming your payment');
    becomes(subscriptionOf('pro', { currentPeriodEnd: LATER }));
    await panel('You are on Pro');
  });

  test('an upgrade waits for the plan that was bought', async () => {
    const before = subscriptionOf('pro', { currentPeriodEnd: END });
    rememberCheckout('premium', 1, before);
    const becomes = comeBack(before);
    await panel('Confirming your payment');
    becomes(subscriptionOf('premium', { currentPeriodEnd: END }));
    await panel('You are on Premium+');
  });

  test('in another tab, where nothing is remembered, a paid plan is enough', async () => {
    comeBack(subscriptionOf('premium'));
    await panel('You are on Premium+');
  });

  test('signed out it asks to sign in', async () => {
    openApp({ at: '/app/subscription?checkout=success' });
    await panel('Please sign in to see your plan');
  });

  test('after long it says so, honestly, and can be asked again', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    rememberCheckout('pro', 1, subscriptionOf('free'));
    const becomes = comeBack(subscriptionOf('free'));
    await panel('Confirming your payment');
    await act(() => vi.advanceTimersByTimeAsync(46_000));
    const heading = await panel('Confirmation is taking longer than usual');
    expect(heading.parentElement?.textContent).toContain('No need to pay again');
    becomes(broken);
    await userEvent.click(screen.getByRole('button', { name: 'Check Now' }), { delay: null });
    await screen.findByText(/We can’t load your plan right now/, {}, LATE);
    becomes(subscriptionOf('pro', { currentPeriodEnd: END }));
    await userEvent.click(screen.getByRole('button', { name: 'Check Now' }), { delay: null });
    await panel('You are on Pro');
  });
});

test('back from a checkout that was cancelled: nothing was charged', async () => {
  comeBack(subscriptionOf('free'), 'cancelled');
  const heading = await panel('The checkout was cancelled');
  expect(heading.parentElement?.textContent).toContain('Nothing was charged.');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByText('The checkout was cancelled')).toBeNull());
});
