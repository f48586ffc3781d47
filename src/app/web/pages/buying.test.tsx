import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { billingOf, cardOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { pricingOf } from '#features/payments/web/billing/fixtures.ts';
import { paymentOf } from '#features/payments/web/usdc/fixtures.ts';
import { type Answer, answer, byMethod, refuse, unreachable } from '#ui/testing/answers.ts';
import { LATE, press, texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';

const CHECKOUT = 'https://checkout.stripe.com/c/pay/cs_1';
const STRIPE = '/api/subscribe/stripe';
const WALLET = '/api/subscribe/wallet-payment';
const leads = answer({ success: true, url: CHECKOUT });
const goes = () => vi.spyOn(location, 'assign').mockImplementation(() => {});

const open = (calls: Record<string, Answer> = {}, as: Parameters<typeof openApp>[0] = {}) =>
  openApp({ at: '/app/subscription', as: 'free', calls, ...as });
const dialog = (name: string) => screen.findByRole('dialog', { name: (is: string) => is.startsWith(name) }, LATE);
/** Presses the button of a plan once its price is known. */
async function choose(name: string): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(button);
}
const pick = async (name: RegExp) => userEvent.click(within(await dialog('Subscribe to')).getByRole('radio', { name }));
const pay = async (name: RegExp) => userEvent.click(within(await dialog('Subscribe to')).getByRole('button', { name }));
const METHODS = [/^Card/, /^USDC on Base/, /^USDC on Solana/];

/** The bodies sent to a call. */
const sent = (fetch: ReturnType<typeof openApp>['fetch'], path: string) =>
  fetch.mock.calls.filter(([url]) => url === path).map(([, init]) => JSON.parse((init?.body as string) ?? 'null'));

describe('payment method chooser', () => {
  test('shows months with two decimals, their discounts and the three methods', async () => {
    open();
    await userEvent.click(await screen.findByRole('radio', { name: '6 months' }));
    await choose('Upgrade to Pro');
    const chooser = await dialog('Subscribe to Pro');
    const offers = within(chooser).getAllByRole('radio');
    expect(offers.map((radio) => radio.parentElement?.textContent)).toEqual([
      '1 month$29.99',
      '3 months5% less$85.47',
      '6 months10% less$161.95',
      '12 months20% less$287.90',
    ]);
    expect((offers[2] as HTMLInputElement).checked).toBe(true);
    const methods = within(chooser).getByRole('region', { name: 'Payment method' });
    expect(methods.textContent).toContain('Pay $161.95 with');
    expect(texts(within(methods).getAllByRole('button'))).toEqual(METHODS.map((name) => expect.stringMatching(name)));
  });

  test('a closed method cannot be chosen and explains why', async () => {
    const methods = { card: 'No card here.', base: null, solana: 'Solana is resting.' };
    open({ '/api/subscription/pricing': answer(pricingOf({ methods })) });
    await choose('Upgrade to Premium+');
    const chooser = await dialog('Subscribe to Premium+');
    const method = (name: RegExp) => within(chooser).getByRole<HTMLButtonElement>('button', { name });
    expect(method(/No card here/).disabled).toBe(true);
    expect(method(/Solana is resting/).disabled).toBe(true);
    expect(method(/USDC on Base/).disabled).toBe(false);
  });

  test.each([
    ['goes on paying', {}, true],
    ['is cancelled', { cancelled: true, renewsAt: null }, false],
    ['was declined', { pastDue: true }, false],
  ])('USDC next to a card that %s', async (_, card, closed) => {
    open({ '/api/billing': answer(billingOf({ card: cardOf(card) })) }, { as: 'pro' });
    await choose('Upgrade to Premium+');
    const chooser = within(await dialog('Subscribe to Premium+'));
    const why = 'Your card renews Pro. To pay in USDC without paying twice, choose Cancel Subscription in your profile';
    for (const name of [/^USDC on Base/, /^USDC on Solana/]) {
      const method = chooser.getByRole<HTMLButtonElement>('button', { name });
      expect([method.disabled, method.textContent.includes(why)]).toEqual([closed, closed]);
    }
  });

  test.each([
    ['the plan that it pays', 'Upgrade to Pro', 'Subscribe to Pro', true],
    ['another plan', 'Upgrade to Premium+', 'Subscribe to Premium+', false],
  ])('a declined card, and %s: the chooser shows where to fix it', async (_, button, title, closed) => {
    open({ '/api/billing': answer(billingOf({ card: cardOf({ pastDue: true }) })) });
    await choose(button);
    const method = within(await dialog(title)).getByRole<HTMLButtonElement>('button', { name: /^Card/ });
    const why = 'Your card was declined for Pro. Update it under Manage Subscription in your profile.';
    expect([method.disabled, method.textContent.includes(why)]).toEqual([closed, closed]);
  });

  test('cannot submit when every method is closed', async () => {
    const methods = { card: 'a', base: 'b', solana: 'c' };
    const { fetch } = open({ '/api/subscription/pricing': answer(pricingOf({ methods })) });
    await choose('Upgrade to Pro');
    const chooser = await dialog('Subscribe to Pro');
    expect(chooser.textContent).toContain('Payments are unavailable right now.');
    for (const name of METHODS) await pay(name);
    expect([...sent(fetch, STRIPE), ...sent(fetch, WALLET)]).toEqual([]);
  });

  test.each([
    ['pro', 'Upgrade to Premium+', 'The unused part of Pro is credited to you.', ''],
    [
      'premium',
      'Switch to Pro',
      'Pro starts when Premium+ ends. Your card is charged then, unless that is within two days.',
      ' to a USDC payment',
    ],
  ] as const)('%s, %s: shows the plan’s fate and how the balance is used', async (as, button, becomes, uses) => {
    open({ '/api/billing': answer(billingOf({ credit: '12.30' })) }, { as });
    await choose(button);
    const words = (await dialog('Subscribe to')).textContent;
    expect(words).toContain(becomes);
    expect(words).toContain(`Your balance of $12.30 applies first${uses}.`);
  });
});

describe('by card', () => {
  test('sends one call with plan and months, then redirects to checkout, even on a double click', async () => {
    const assign = goes();
    const { fetch } = open({ [STRIPE]: leads });
    await choose('Upgrade to Premium+');
    await pick(/^12 months/);
    const button = await screen.findByRole('button', { name: /^Card/ });
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(assign).toHaveBeenCalledWith(CHECKOUT));
    expect(sent(fetch, STRIPE)).toEqual([{ planId: 'premium', months: 12 }]);
    expect(assign).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('button', { name: /Opening the checkout/ }).getAttribute('aria-disabled')).toBe('true');
  });

  test.each([
    ['words', refuse(409, 'You have this plan', 'conflict'), 'Subscription failed: You have this plan'],
    ['a failure without words', () => new Response('', { status: 502 }), 'Subscription failed: Please try again.'],
    ['a server that is away', unreachable, 'Subscription failed. Please try again.'],
    ['an ended session', refuse(401, 'Sign in', 'unauthenticated'), 'Please sign in to subscribe to a plan.'],
  ] as const)('%s: reported in a toast and in the dialog, which can be resubmitted', async (_, failing, words) => {
    const assign = goes();
    let answers: Answer = failing;
    open({ [STRIPE]: (url, init) => answers(url, init) });
    await choose('Upgrade to Pro');
    await pay(/^Card/);
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2), LATE);
    expect(screen.getByText('Nothing was charged.')).toBeDefined();
    answers = leads;
    await pay(/^Card/);
    await waitFor(() => expect(assign).toHaveBeenCalledWith(CHECKOUT));
  });
});

describe('in USDC', () => {
  test.each([
    ['USDC on Base', 'base'],
    ['USDC on Solana', 'solana'],
  ] as const)('%s: requests the payment once and shows it', async (name, network) => {
    const { fetch } = open({ [WALLET]: answer(paymentOf({ network })) });
    await choose('Upgrade to Pro');
    await pick(/^3 months/);
    await pay(new RegExp(`^${name}`));
    expect((await dialog(`Pro, 1 month: ${name}`)).textContent).toContain('29.99');
    expect(sent(fetch, WALLET)).toEqual([{ planId: 'pro', network, months: 3 }]);
    expect(screen.queryByRole('dialog', { name: 'Subscribe to Pro' })).toBeNull();
  });

  test.each([
    ['what fails is said in its words', 503, 'No node answers', 'Wallet payment setup failed. Please try again.'],
    ['a refusal is said in the words of the server', 409, 'Pro is paid', 'Subscription failed: Pro is paid'],
  ])('%s', async (_, status, error, words) => {
    open({ [WALLET]: refuse(status, error, status === 409 ? 'conflict' : 'unavailable') });
    await choose('Upgrade to Pro');
    await pay(/^USDC on Base/);
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2), LATE);
  });

  test('closing the payment refetches account and balance', async () => {
    const { fetch } = open({
      [WALLET]: answer(paymentOf()),
      '/api/subscribe/payments/pay_0000000001': answer(paymentOf()),
    });
    await choose('Upgrade to Pro');
    await pay(/^USDC on Base/);
    await dialog('Pro, 1 month: USDC on Base');
    const reads = (path: string) => fetch.mock.calls.filter(([url]) => url === path).length;
    const before = [reads('/api/subscription'), reads('/api/billing')];
    await userEvent.click(within(await dialog('Pro, 1 month: USDC on Base')).getByRole('button', { name: 'Close' }));
    await waitFor(() =>
      expect([reads('/api/subscription'), reads('/api/billing')]).toEqual(before.map((count) => count + 1)),
    );
  });
});

describe('trial', () => {
  const TRIAL = '/api/subscribe/trial';
  const canTry = { '/api/billing': answer(billingOf({ canTry: true })) };

  test('starts with one click and shows its end date', async () => {
    const { fetch } = open({
      ...canTry,
      [TRIAL]: byMethod({ POST: answer({ success: true, endsAt: '2026-11-28T12:00:00.000Z' }) }),
    });
    await press('Start Free Trial');
    expect(await screen.findByText('Pro is yours until 28 Nov 2026. It ends automatically.', {}, LATE)).toBeDefined();
    expect(sent(fetch, TRIAL)).toHaveLength(1);
  });

  test('refused: shows the server’s message', async () => {
    open({ ...canTry, [TRIAL]: refuse(409, 'You have had your trial', 'conflict') });
    await press('Start Free Trial');
    expect(await screen.findByText('Subscription failed: You have had your trial', {}, LATE)).toBeDefined();
  });

  test.each([
    ['it was used', { '/api/billing': answer(billingOf({ canTry: false })) }],
    ['there is none', { ...canTry, '/api/subscription/pricing': answer(pricingOf({ trialDays: 0 })) }],
    ['nothing is sold yet', { ...canTry, '/api/subscription/pricing': answer(pricingOf({ comingSoon: true })) }],
  ])('not offered when %s', async (_, calls) => {
    open(calls);
    await screen.findByText('You are on the Free plan.');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Start Free Trial' })).toBeNull());
  });

  test('asks signed-out visitors to sign in', async () => {
    const { fetch } = open({}, { as: 'anonymous' });
    await press('Start Free Trial');
    await waitFor(() => expect(screen.getAllByText('Please sign in to subscribe to a plan.')).toHaveLength(2), LATE);
    expect(sent(fetch, TRIAL)).toHaveLength(0);
  });
});

test('a paid plan asks signed-out visitors to sign in', async () => {
  open({}, { as: 'anonymous' });
  await press('Subscribe to Pro');
  await waitFor(() => expect(screen.getAllByText('Please sign in to subscribe to a plan.')).toHaveLength(2), LATE);
  expect(screen.queryByRole('dialog', { name: /Subscribe/ })).toBeNull();
});
