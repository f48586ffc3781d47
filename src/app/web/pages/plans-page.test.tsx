import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { billingOf, cardOf, entryOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { priceOf, pricingOf } from '#features/payments/web/billing/fixtures.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { OTHER_LIMITS, USUAL_LIMITS } from '#ui/testing/limits.ts';
import { LATE, texts } from '../testing/acts.ts';
import { closeApp, openApp } from '../testing/open-app.tsx';

const open = (options: Parameters<typeof openApp>[0] = {}) => openApp({ at: '/app/subscription', ...options });
const card = (name: string) => screen.findByRole('region', { name });
const names = () => texts([...document.querySelectorAll('h2[id^=plan-]')]);

describe('Subscription Plans', () => {
  test('three plans with their prices and current features; longer billing periods lower the monthly price, with the usual price struck through; signed out: prompts to sign in, with links', async () => {
    open();
    const free = await card('Free');
    expect(names()).toEqual(['Free', 'Pro', 'Premium+']);
    const pro = await card('Pro');
    const premium = await card('Premium+');
    for (const [region, price] of [
      [free, '$0'],
      [pro, '$29.99'],
      [premium, '$99'],
    ] as const)
      expect(region.textContent).toContain(`${price}/month`);
    expect(free.textContent).toContain('History of the last 30 days');
    expect(free.textContent).not.toContain('CSV');
    const holds = /alert history.*50 custom alert thresholds.*Full history.*Data export.*1,000 API calls a day/;
    await waitFor(() => expect(pro.textContent).toMatch(holds));
    expect(pro.textContent).toContain('Data export: CSV, JSON and Excel, 20 a day');
    expect(premium.textContent).toMatch(/^Premium\+.*White-label.*10,000 API calls a day/);
    expect(screen.getByText(/^Prices in US dollars\./).textContent).not.toContain('cannot be bought');
    await userEvent.click(await screen.findByRole('radio', { name: '3 months' }));
    expect(pro.textContent).toContain('Instead of $29.99$28.49/month$85.47 for 3 months, 5% less');
    expect((await card('Premium+')).textContent).toContain('$94.05/month$282.15 for 3 months');
    expect(pro.querySelector('s')?.textContent).toContain('$29.99');
    expect((await card('Free')).querySelector('s')).toBeNull();
    expect(await screen.findByText('Please sign in to subscribe to a plan.')).toBeDefined();
    const signIn = within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' });
    expect(signIn.getAttribute('href')).toBe('/app?auth=login');
    expect(screen.getByRole('link', { name: 'Create Account' }).getAttribute('href')).toBe('/app?auth=register');
    await userEvent.click(within(await card('Free')).getByRole('button', { name: 'Get Started' }));
    await waitFor(() => expect(screen.getAllByText('Please sign in to subscribe to a plan.')).toHaveLength(2));
    expect(document.activeElement).toBe(signIn);
  });

  test('a paid plan is marked as coming soon before launch, and says so on click', async () => {
    open({ calls: { '/api/subscription/pricing': answer(pricingOf({ comingSoon: true })) } });
    await userEvent.click(await within(await card('Premium+')).findByRole('button', { name: 'Coming Soon' }));
    const words = 'Pro and Premium plans are coming soon! Stay tuned for updates.';
    expect(await screen.findByText(words)).toBeDefined();
  });

  test('on Free: marked, and says so on click', async () => {
    open({ as: 'free' });
    expect(await screen.findByText('You are on the Free plan.')).toBeDefined();
    const free = await card('Free');
    expect(free.textContent).toContain('Your current plan');
    await userEvent.click(within(free).getByRole('button', { name: 'Current plan' }));
    expect(await screen.findByText('You are already on the free plan!')).toBeDefined();
  });

  test('on Pro: marked, and the Free card links to cancellation; USDC customers can add months; card customers manage them', async () => {
    open({ as: 'pro' });
    expect(await screen.findByText('You are on the Pro plan.')).toBeDefined();
    expect(screen.queryByRole('region', { name: /^Try Pro/ })).toBeNull();
    const mine = await card('Pro');
    expect(mine.textContent).toContain('Your current plan');
    const cancel = within(await card('Free')).getByRole('link', { name: 'Cancel Subscription' });
    expect(cancel.getAttribute('href')).toBe('/app/profile?tab=subscription');
    for (const plan of ['Free', 'Pro', 'Premium+'])
      await waitFor(async () => expect((await card(plan)).querySelectorAll('button, a')).toHaveLength(1));
    expect(await screen.findByRole('button', { name: 'Extend Pro' })).toBeDefined();
    closeApp();
    const card1 = { plan: 'premium' as const, months: 1, renewsAt: null, cancelled: false, pastDue: false };
    open({ as: 'premium', calls: { '/api/billing': answer(billingOf({ card: card1 })) } });
    expect(await screen.findByText('You are on the Premium+ plan.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^(Extend|Switch to)/ })).toBeNull();
    expect(screen.getAllByRole('link', { name: 'Manage Subscription' })).toHaveLength(2);
  });

  test.each([
    ['by card', { card: cardOf() }, 'Renews on 20 Dec 2026 by card.'],
    ['by card, refused', { card: cardOf({ pastDue: true }) }, /^The last charge was declined\. Update your card/],
    [
      'in USDC',
      { entries: [entryOf({ method: 'base' })] },
      'Ends on 21 Dec 2026. Paid with USDC on Base. Does not renew automatically.',
    ],
  ])('paid %s: renewal or end date, and payment method', async (_, billing, words) => {
    const account = subscriptionOf('pro', { currentPeriodEnd: '2026-12-21T12:00:00.000Z' });
    open({ as: 'pro', calls: { '/api/subscription': answer(account), '/api/billing': answer(billingOf(billing)) } });
    const own = within(await screen.findByRole('region', { name: 'Your subscription' }));
    expect(await own.findByText(words)).toBeDefined();
    expect(own.getByRole('link', { name: 'View Billing' }).getAttribute('href')).toBe('/app/profile?tab=subscription');
  });

  test('admins see their own card, and nothing to subscribe to on Free', async () => {
    open({ as: 'admin' });
    expect((await card('Admin')).textContent).toMatch(/Your current plan.*All features/);
    expect(names()).toEqual(['Free', 'Pro', 'Premium+', 'Admin']);
    for (const name of ['Free', 'Pro', 'Premium+']) expect(within(await card(name)).queryByRole('button')).toBeNull();
  });

  test('a first-month discount strikes the price through and shows the next price', async () => {
    const pricing = pricingOf({ discountActive: true, pro: priceOf(14.99, 29.99), premium: priceOf(49.5, 99) });
    open({ calls: { '/api/subscription/pricing': answer(pricing) } });
    const pro = await card('Pro');
    await waitFor(() => expect(pro.textContent).toContain('$14.99/monthFirst month 50% less, then $29.99'));
  });

  test('unreadable prices: shows the usual ones, labeled, and Retry refetches', async () => {
    let fails = true;
    const dear = pricingOf({ pro: priceOf(39.5) });
    open({ calls: { '/api/subscription/pricing': () => (fails ? broken() : Response.json(dear)) } });
    expect((await screen.findByText(/^Couldn’t load current prices/)).textContent).toContain('standard prices');
    expect((await card('Pro')).textContent).toContain('$29.99/month');
    expect((await card('Premium+')).textContent).toContain('$99/month');
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(async () => expect((await card('Pro')).textContent).toContain('$39.50/month'));
  });

  test('shows no price before the response', async () => {
    open({ calls: { '/api/subscription/pricing': () => new Promise<Response>(() => {}) } });
    const price = within(await card('Pro')).getByText('$29.99');
    expect(price.closest('[aria-busy=true]')?.classList).toContain('invisible');
  });

  test('payment methods: the open ones, and why the others are closed', async () => {
    const methods = { card: 'Card payments are not set up.', base: null, solana: null };
    open({ calls: { '/api/subscription/pricing': answer(pricingOf({ methods })) } });
    const block = await card('Payment Methods');
    await waitFor(() => expect(block.textContent).toContain('CardCard payments are not set up.Not available'));
    expect(within(block).getAllByText('Available')).toHaveLength(2);
  });

  test('at least ten questions, answered with this installation’s numbers', async () => {
    open({ calls: { '/api/subscription/pricing': answer(pricingOf({ trialDays: 9, graceDays: 5 })) } });
    const faq = await card('FAQ');
    await waitFor(() => expect(faq.textContent).toContain('try Pro once for 9 days'));
    expect(faq.querySelectorAll('details').length).toBeGreaterThanOrEqual(10);
    for (const words of [
      /How do I cancel/,
      /What is your refund policy/,
      /late or incomplete/,
      /wrong network/,
      /change my plan/,
      /invoices/,
      /Pro: 1,000 calls a day. Premium\+: 10,000 calls a day/,
      /counted per account and UTC day across all keys/,
      /Where does the data come from/,
      /track record is public/,
      /grace period of 5 days/,
      /3 months \(5% less\), 6 months \(10% less\), 12 months \(20% less\)/,
    ])
      expect(faq.textContent).toMatch(words);
  });

  test('an unreadable account is reported, and Retry refetches it', async () => {
    let broken = true;
    const failing = () => Response.json({ error: 'Something went wrong', code: 'internal' }, { status: 500 });
    open({
      as: 'pro',
      calls: { '/api/subscription': () => (broken ? failing() : Response.json(subscriptionOf('pro'))) },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t load your plan.');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('You are on the Pro plan.')).toBeDefined();
  });
});

describe('daily limits', () => {
  const withLimits = (limits: PaidLimits): Record<string, Answer> => ({
    '/api/subscription/pricing': answer(pricingOf({ limits })),
    '/api/about': answer(aboutOf({ plans: { ...aboutOf().plans, limits } })),
  });
  const UNREAD: Record<string, Answer> = { '/api/subscription/pricing': broken, '/api/about': broken };
  /** Pro with unlimited calls and one export. */
  const SWAPPED: PaidLimits = {
    pro: { exportsPerDay: 1, apiCallsPerDay: null },
    premium: { exportsPerDay: null, apiCallsPerDay: 200 },
  };

  const PLANS = '/app/subscription';
  const TERMS = '/app/terms';
  type Case = readonly [name: string, at: string, as: 'anonymous' | Plan, region: RegExp, words: readonly string[]];

  /** Pro with 7 exports and 50 calls, Premium+ with unlimited calls. */
  const CASES: readonly Case[] = [
    ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel, 7 a day', '50 API calls a day, for programs']],
    ['plan Premium+', PLANS, 'free', /^Premium\+$/, ['Unlimited API calls']],
    ['questions', PLANS, 'free', /^FAQ$/, ['Pro: 50 calls a day. Premium+: unlimited calls. Calls are']],
    ['own plan', '/app/profile?tab=subscription', 'pro', /^What Pro/, ['7 exports a day', '50 API calls a day']],
    ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['50 calls a day, unlimited with Premium+']],
    ['upsell', '/app/data-export', 'free', /^Data Export$/, ['7 exports a day, no limit with Premium+']],
    ['table', '/app/data-export', 'free', /^What Each Plan/, ['ExportsNot included7 a dayUnlimited']],
    [
      'API',
      '/app/api',
      'anonymous',
      /^How It Works$/,
      ['Pro 50 calls a day, Premium+ unlimited calls, counted per account'],
    ],
    ['gate', '/app/auth-required?type=upgrade', 'anonymous', /^Pro plan/, ['Excel, 7 a day', '50 API calls a day,']],
    [
      'terms',
      TERMS,
      'anonymous',
      /Plans and limits$/,
      ['Exports per dayNone7Unlimited', 'API calls per dayNone50Unlimited'],
    ],
  ];

  const text = async (name: RegExp) => (await screen.findByRole('region', { name }, LATE)).textContent;

  test.each(CASES)('as configured: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: withLimits(OTHER_LIMITS) });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
  });

  test.each([
    ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel, 1 a day', 'Unlimited API calls, for programs']],
    ['questions', PLANS, 'free', /^FAQ$/, ['Pro: unlimited calls. Premium+: 200 calls a day. Calls are']],
    ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['Unlimited API calls, 200 a day with Premium+']],
    ['upsell', '/app/data-export', 'free', /^Data Export$/, ['1 export a day, no limit with Premium+']],
    ['API', '/app/api', 'anonymous', /^How It Works$/, ['Pro unlimited calls, Premium+ 200 calls a day, counted']],
    ['terms', TERMS, 'anonymous', /Plans and limits$/, ['API calls per dayNoneUnlimited200']],
  ] as const)('unlimited: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: withLimits(SWAPPED) });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
  });

  test.each([
    ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel', 'API calls, for programs']],
    ['plan Premium+', PLANS, 'free', /^Premium\+$/, ['API calls']],
    ['questions', PLANS, 'free', /^FAQ$/, ['Pro and Premium+ come with API calls. Calls are counted']],
    ['own plan', '/app/profile?tab=subscription', 'pro', /^What Pro/, ['ExportsIncluded', 'API callsIncluded']],
    ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['API calls, across all keys']],
    ['upsell', '/app/data-export', 'free', /^Data Export$/, ['Unlimited exports with Premium+']],
    ['API', '/app/api', 'anonymous', /^How It Works$/, ['Calls are counted per account and UTC day.']],
    ['gate', '/app/auth-required?type=upgrade', 'anonymous', /^Pro plan/, ['API calls, for programs']],
    ['terms', TERMS, 'anonymous', /Plans and limits$/, ['API calls per dayNoneSee the plans pageSee the plans page']],
  ] as const)('no number when unreadable: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: UNREAD });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
    expect(await text(region)).not.toMatch(/\b(20|1,000|10,000) (exports |API calls |calls )?a day|undefined|NaN/);
  });

  test('states a number shared by both plans once, and likewise when both are unlimited', async () => {
    const both = (calls: number | null): PaidLimits => ({
      pro: { exportsPerDay: 20, apiCallsPerDay: calls },
      premium: { exportsPerDay: null, apiCallsPerDay: calls },
    });
    const { queries } = openApp({ at: '/app/profile?tab=api-keys', as: 'free', calls: withLimits(both(1)) });
    await waitFor(async () => expect(await text(/^API Keys$/)).toMatch(/1 call a day(?!,)/), LATE);
    queries.setQueryData(['pricing'], pricingOf({ limits: both(null) }));
    await waitFor(async () => expect(await text(/^API Keys$/)).toMatch(/Unlimited API calls(?!,)/), LATE);
    queries.setQueryData(['pricing'], pricingOf({ limits: USUAL_LIMITS }));
    await waitFor(async () => expect(await text(/^API Keys$/)).toContain('1,000 calls a day, 10,000 with'), LATE);
  });
});
