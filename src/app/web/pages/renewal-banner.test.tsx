import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { RenewalInfo } from '#features/payments/contract/billing.ts';
import { billingOf, cardOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { pricingOf } from '#features/payments/web/billing/fixtures.ts';
import { paymentOf } from '#features/payments/web/usdc/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { address, LATE, press, quickenIntervals } from '../testing/acts.ts';
import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';
import { rememberCheckout } from './checkout-memory.ts';

const INFO: RenewalInfo = {
  planName: 'Pro',
  expiredPlan: 'pro',
  renewalOptions: [
    { months: 1, price: 29.99, discount: 0 },
    { months: 3, price: 85.4715, discount: 0.05 },
    { months: 12, price: 287.904, discount: 0.2 },
  ],
};
const EXPIRED: Partial<Subscription> = { status: 'expired', expiredAt: '2026-11-14T12:00:00.000Z', needsRenewal: true };
const EXPIRING: Partial<Subscription> = {
  needsRenewal: true,
  daysUntilExpiry: 5,
  currentPeriodEnd: '2026-11-26T12:00:00.000Z',
};

const banner = () => screen.findByRole('region', { name: /^Your subscription/ }, LATE);
const dialog = (name: string) => screen.findByRole('dialog', { name }, LATE);

function open(is: Subscription, calls: Record<string, Answer> = {}, at = '/app/sources') {
  return openApp({
    at,
    as: 'free',
    calls: { '/api/subscription': answer(is), '/api/subscribe/renewal-info': answer(INFO), ...calls },
  });
}

/** Waits until the page is rendered and everything, including the account, has been loaded. */
async function settled({ fetch, queries }: ReturnType<typeof open>): Promise<void> {
  await screen.findByRole('heading', { level: 1, name: 'Data Sources' }, LATE);
  const asked = () => fetch.mock.calls.some(([url]) => url === '/api/subscription');
  await waitFor(() => expect([asked(), queries.isFetching()]).toEqual([true, 0]));
  // The code of the banner loads late.
  await act(() => import('./renewal-banner.tsx'));
}

describe('renewal banner', () => {
  test.each([
    ['expired, on the dashboard too', subscriptionOf('free', EXPIRED), 'has expired Your paid plan ended on 14'],
    ['expiring: in how many days', subscriptionOf('pro', EXPIRING), 'is expiring soon Pro ends in 5 days.'],
    ['in the days of grace', subscriptionOf('pro', { ...EXPIRED, status: 'grace' }), 'Pro ended on 14 Nov 2026 and'],
  ])('%s', async (_, is, words) => {
    open(is, {}, '/app');
    expect((await banner()).textContent).toContain(words);
  });

  test.each([
    ['who has nothing to renew', subscriptionOf('pro')],
    ['admins, never', subscriptionOf('admin', EXPIRED)],
    ['an admin by role alone', subscriptionOf('pro', { ...EXPIRING, role: 'admin' })],
  ])('is hidden for %s', async (_, is) => {
    await settled(open(is));
    expect(screen.queryByRole('region', { name: /^Your subscription/ })).toBeNull();
  });

  test('dismissal lasts for the session; another end date shows it again', async () => {
    open(subscriptionOf('pro', EXPIRING));
    await banner();
    await press('Dismiss');
    expect(screen.queryByRole('region', { name: /^Your subscription/ })).toBeNull();
    closeApp();
    freezeTime();
    await settled(open(subscriptionOf('pro', EXPIRING)));
    expect(screen.queryByRole('region', { name: /^Your subscription/ })).toBeNull();
    closeApp();
    freezeTime();
    open(subscriptionOf('free', EXPIRED));
    await banner();
  });
});

describe('Renew Now', () => {
  test('months with two decimals, the discount as a whole percent, and three methods', async () => {
    open(subscriptionOf('free', EXPIRED));
    await press('Renew Now');
    const chooser = within(await dialog('Renew Pro'));
    expect(chooser.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
      '1 month$29.99',
      '3 months5% less$85.47',
      '12 months20% less$287.90',
    ]);
    for (const name of [/^Card/, /^USDC on Base/, /^USDC on Solana/])
      expect(chooser.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false);
  });

  test('a declined card cannot pay here: it must be replaced first, or USDC used', async () => {
    open(subscriptionOf('pro', { ...EXPIRED, status: 'grace' }), {
      '/api/billing': answer(billingOf({ card: cardOf({ pastDue: true }) })),
    });
    await press('Renew Now');
    const chooser = within(await dialog('Renew Pro'));
    const isClosed = (name: RegExp) => chooser.getByRole<HTMLButtonElement>('button', { name }).disabled;
    await waitFor(() => expect(isClosed(/^Card/)).toBe(true));
    expect(isClosed(/^USDC on Base/)).toBe(false);
    expect(chooser.getByText(/^Your card was declined for Pro\. Update it under Manage Subscription/)).toBeDefined();
  });

  test('USDC on Base: requests the renewal and shows its payment, even after the plan is restored', async () => {
    let is = subscriptionOf('free', EXPIRED);
    const { fetch, queries } = open(is, {
      '/api/subscription': () => Response.json(is),
      '/api/subscribe/renew': answer(paymentOf()),
      '/api/subscribe/payments/pay_0000000001': answer(paymentOf()),
    });
    await press('Renew Now');
    const chooser = await dialog('Renew Pro');
    await userEvent.click(within(chooser).getByRole('radio', { name: /^3 months/ }));
    await userEvent.click(within(chooser).getByRole('button', { name: /^USDC on Base/ }));
    const shown = await dialog('Pro, 1 month: USDC on Base');
    const call = fetch.mock.calls.find(([url]) => url === '/api/subscribe/renew');
    expect(JSON.parse(call?.[1]?.body as string)).toEqual({ planId: 'pro', network: 'base', months: 3 });
    is = subscriptionOf('pro', { currentPeriodEnd: '2027-02-21T12:00:00.000Z' });
    await queries.invalidateQueries({ queryKey: ['subscription'] });
    expect(shown.isConnected).toBe(true);
    await userEvent.click(within(shown).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Your subscription/ })).toBeNull());
  });

  test('by card opens the checkout with plan and months', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    const url = 'https://checkout.stripe.com/c/pay/cs_2';
    const { fetch } = open(subscriptionOf('free', EXPIRED), {
      '/api/subscribe/stripe': answer({ success: true, url }),
    });
    await press('Renew Now');
    await userEvent.click(within(await dialog('Renew Pro')).getByRole('radio', { name: /^12 months/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Card/ }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
    const call = fetch.mock.calls.find(([path]) => path === '/api/subscribe/stripe');
    expect(JSON.parse(call?.[1]?.body as string)).toEqual({ planId: 'pro', months: 12 });
  });

  test.each([
    ['before the launch', '/api/subscription/pricing', pricingOf({ comingSoon: true }), 'coming soon! Stay'],
    ['without options', '/api/subscribe/renewal-info', { ...INFO, renewalOptions: [] }, 'See Plans and Prices'],
  ])('%s', async (_, path, given, words) => {
    open(subscriptionOf('free', EXPIRED), { [path]: answer(given) });
    await press('Renew Now');
    const shown = await dialog('Renew your subscription');
    expect(shown.textContent).toContain(words);
    expect(within(shown).getByRole('link').getAttribute('href')).toBe('/app/subscription');
  });

  test('logs unreadable options, and the dialog can retry', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {});
    let fails = true;
    open(subscriptionOf('free', EXPIRED), {
      '/api/subscribe/renewal-info': () => (fails ? broken() : Response.json(INFO)),
    });
    await press('Renew Now');
    expect(await screen.findByText('Couldn’t load the renewal options', {}, LATE)).toBeDefined();
    expect(log).toHaveBeenCalled();
    fails = false;
    await press('Retry');
    await dialog('Renew Pro');
  });
});

test('a weak password triggers a warning on every page that cannot be dismissed', async () => {
  openApp({
    as: 'free',
    at: '/app/events',
    calls: { '/api/subscription': answer(subscriptionOf('free', { weakPassword: true })) },
  });
  const notice = await screen.findByRole('region', { name: 'Your password is easy to guess.' }, LATE);
  const link = within(notice).getByRole('link', { name: 'Security Settings' });
  expect(link.getAttribute('href')).toBe('/app/profile?tab=security');
  expect(within(notice).queryByRole('button')).toBeNull();
});

describe('return from a checkout', () => {
  const END = '2026-12-21T12:00:00.000Z';
  const LATER = '2027-01-21T12:00:00.000Z';

  const panel = (name: string) => screen.findByRole('heading', { level: 2, name }, LATE);

  /** Returns from the checkout; from then on the account has the state `is`. */
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

  describe('back from a paid checkout', () => {
    beforeEach(quickenIntervals);

    test('waits for the plan, not the redirect; then shows the end date once', async () => {
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

    test.each([
      ['months that are added count when the end has moved', 'pro', LATER, 'You are on Pro'],
      ['an upgrade waits for the plan that was bought', 'premium', END, 'You are on Premium+'],
    ] as const)('%s', async (_, plan, currentPeriodEnd, title) => {
      const before = subscriptionOf('pro', { currentPeriodEnd: END });
      rememberCheckout(plan, 1, before);
      const becomes = comeBack(before);
      await panel('Confirming your payment');
      becomes(subscriptionOf(plan, { currentPeriodEnd }));
      await panel(title);
    });

    test('in another tab without stored state, a paid plan is enough', async () => {
      comeBack(subscriptionOf('premium'));
      await panel('You are on Premium+');
    });

    test('asks signed-out visitors to sign in', async () => {
      openApp({ at: '/app/subscription?checkout=success' });
      await panel('Please sign in to see your plan');
    });

    test('admits a long delay and offers to check again', async () => {
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

  test('back from a canceled checkout: nothing was charged', async () => {
    comeBack(subscriptionOf('free'), 'cancelled');
    const heading = await panel('The checkout was canceled');
    expect(heading.parentElement?.textContent).toContain('Nothing was charged.');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('The checkout was canceled')).toBeNull());
  });
});
