import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, test } from 'vitest';
import { address } from '#app/web/testing/acts.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { openApp, wholePayload } from '../testing/open-app.tsx';
import { PlanBadge } from './dashboard-head.tsx';

const upsell = (name: string) => screen.findByRole('region', { name });

describe('a page outside the plan', () => {
  test.each([
    ['/app/alerts', 'Market Alerts', 'Pro', '$29.99'],
    ['/app/custom-alerts', 'Custom Alerts', 'Pro', '$29.99'],
    ['/app/data-export', 'Data Export', 'Pro', '$29.99'],
    ['/app/advanced-export', 'Advanced Export', 'Premium+', '$99'],
    ['/app/advanced-analytics', 'Advanced Analytics', 'Premium+', '$99'],
  ])(
    '%s: %s is part of %s, with its price and one button to the plans; requests none of its data',
    async (at, title, plan, price) => {
      const { fetch } = openApp({ at, as: 'free' });
      const region = await upsell(title);
      expect(within(region).getByRole('heading', { level: 1, name: title })).toBeDefined();
      expect(region.textContent).toContain(`Part of ${plan}`);
      expect(region.textContent).not.toContain('oming soon');
      expect(region.textContent).toContain(`${price}/month`);
      const button = within(region).getByRole('link', { name: `Upgrade to ${plan}` });
      expect(button.getAttribute('href')).toBe('/app/subscription');
      expect(within(region).getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/app');
      expect(within(region).queryByRole('link', { name: 'Sign In' })).toBeNull();
      expect(fetch.mock.calls.filter(([url]) => /^.api.(alerts|exports|analytics)/.test(url))).toEqual([]);
    },
  );

  test('counts the data it would cover in this installation', async () => {
    const history = { ssr: [1, 2, 3], 'dominance.btc': [1, 2] };
    const { advancedMetrics } = wholePayload();
    if (!advancedMetrics) throw new Error('no metrics');
    const data = wholePayload({ advancedMetrics: { ...advancedMetrics, history } });
    openApp({ at: '/app/data-export', calls: { '/api/dashboard': () => Response.json(data) } });
    const region = await upsell('Data Export');
    await within(region).findByText('metrics with history');
    const counted = within(region)
      .getAllByRole('term')
      .map((term) => `${term.nextElementSibling?.textContent} ${term.textContent}`);
    expect(counted).toEqual(['8 coins', '2 metrics with history', '3 sources online']);
  });

  test('shows each missing count as a dash', async () => {
    openApp({ at: '/app/data-export', calls: { '/api/dashboard': () => new Promise<Response>(() => {}) } });
    const terms = within(await upsell('Data Export')).getAllByRole('term');
    expect(terms.map(({ nextElementSibling }) => nextElementSibling?.textContent)).toEqual(['–', '–', '–']);
  });

  test('an alert requested for a coin names the coin', async () => {
    openApp({ at: '/app/custom-alerts?coin=solana', as: 'free' });
    expect((await upsell('Custom Alerts')).textContent).toContain('Your own rules on Solana and any dashboard metric');
  });

  test('while the account loads no upsell is shown; if it fails, Retry', async () => {
    let answer = (): Response | Promise<Response> => Response.json({ error: 'x', code: 'internal' }, { status: 500 });
    openApp({ at: '/app/alerts', as: 'pro', calls: { '/api/subscription': () => answer() } });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to check authentication status. Please try again.');
    expect(screen.queryByRole('region', { name: 'Market Alerts' })).toBeNull();
    answer = () => Response.json(subscriptionOf('free'));
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await upsell('Market Alerts')).toBeDefined();
  });
});

test.each([
  ['/advanced-analytics', '/app/advanced-analytics'],
  ['/advanced-export', '/app/advanced-export'],
  ['/settings', '/app/profile?tab=notifications'],
])('%s links to %s', async (at, to) => {
  openApp({ at });
  await waitFor(() => expect(address()).toBe(to));
});

describe('plan badge', () => {
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

  test.each([
    ['plan admin', known('admin', { role: 'user', isAdmin: false }), 'ADMIN', null],
    ['role admin', known('free', { role: 'admin' }), 'ADMIN', null],
    ['isAdmin', known('pro', { isAdmin: true }), 'ADMIN', null],
    ['pro', known('pro'), 'Upgrade to Premium+', '/app/subscription'],
    ['premium', known('premium'), 'Premium+', null],
    ['free', known('free'), 'Free', null],
    ['signed in without a subscription status', { state: 'unknown', failed: true } as const, 'Coming Soon', null],
    ['anonymous', { state: 'anonymous' } as const, 'Upgrade to Pro', '/app/subscription'],
    ['nothing while the account is read', { state: 'unknown', failed: false } as const, '', null],
  ])('%s', (_, account, text, to) => {
    expect(show(account).textContent).toBe(text);
    expect(screen.queryByRole('link')?.getAttribute('href') ?? null).toBe(to);
  });
});
