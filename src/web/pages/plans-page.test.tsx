// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { subscriptionOf } from '#features/subscriptions/web/fixtures.ts';

import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';

beforeEach(() => freezeTime());
afterEach(closeApp);

const open = (options: Parameters<typeof openApp>[0] = {}) => openApp({ at: '/app/subscription', ...options });
const card = (name: string) => screen.findByRole('region', { name });
const names = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

describe('Subscription Plans', () => {
  test('three plans with their prices, what each holds today and what is being built', async () => {
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
      expect(region.textContent).toContain(`${price}a month`);
    expect(free.textContent).toContain('History of the last 30 days');
    expect(free.textContent).not.toContain('CSV');
    expect(pro.textContent).toMatch(
      /Market alerts.*50 custom alert thresholds.*All stored history.*Being built.*1,000 API calls a day/,
    );
    expect(pro.textContent).toContain('Data export: CSV, JSON and Excel, 20 a day');
    expect(premium.textContent).toMatch(/^Premium\+.*Being built.*10,000 API calls a day.*White-label/);
    expect(screen.getByText(/^Prices in US dollars\./).textContent).toContain('cannot be bought yet');
  });

  test.each(['Pro', 'Premium+'])('%s is coming soon, and says so when it is pressed', async (name) => {
    open();
    await userEvent.click(within(await card(name)).getByRole('button', { name: 'Coming Soon' }));
    const words = 'Pro and Premium plans are coming soon! Stay tuned for updates.';
    expect(await screen.findByText(words)).toBeDefined();
  });

  test('signed out: asked to sign in, with the links to do it', async () => {
    open();
    expect(await screen.findByText('Please sign in to subscribe to a plan.')).toBeDefined();
    const signIn = within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' });
    expect(signIn.getAttribute('href')).toBe('/app?auth=login');
    expect(screen.getByRole('link', { name: 'Create Account' }).getAttribute('href')).toBe('/app?auth=register');
    await userEvent.click(within(await card('Free')).getByRole('button', { name: 'Get Started' }));
    await waitFor(() => expect(screen.getAllByText('Please sign in to subscribe to a plan.')).toHaveLength(2));
    expect(document.activeElement).toBe(signIn);
  });

  test('on Free: marked, and pressing it says so', async () => {
    open({ as: 'free' });
    expect(await screen.findByText('You are on the Free plan.')).toBeDefined();
    const free = await card('Free');
    expect(free.textContent).toContain('Your current plan');
    await userEvent.click(within(free).getByRole('button', { name: 'Current plan' }));
    expect(await screen.findByText('You are already on the free plan!')).toBeDefined();
  });

  test.each([
    ['pro', 'Pro'],
    ['premium', 'Premium+'],
  ] as const)('on %s: marked, and the card of Free leads to the cancellation', async (as, name) => {
    open({ as });
    expect(await screen.findByText(`You are on the ${name} plan.`)).toBeDefined();
    const mine = await card(name);
    expect(mine.textContent).toContain('Your current plan');
    const manage = within(mine).getByRole('link', { name: 'Manage Subscription' });
    const cancel = within(await card('Free')).getByRole('link', { name: 'Cancel Subscription' });
    for (const link of [manage, cancel]) expect(link.getAttribute('href')).toBe('/app/profile?tab=subscription');
  });

  test('admins see a card of their own, and nothing to subscribe to on Free', async () => {
    open({ as: 'admin' });
    expect((await card('Admin')).textContent).toMatch(/Your current plan.*All features/);
    expect(names()).toEqual(['Free', 'Pro', 'Premium+', 'Admin']);
    expect(within(await card('Free')).queryByRole('button')).toBeNull();
  });

  test('an account that cannot be read says so, and Retry reads it again', async () => {
    let broken = true;
    const failing = () => Response.json({ error: 'Something went wrong', code: 'internal' }, { status: 500 });
    open({
      as: 'pro',
      calls: { '/api/subscription': () => (broken ? failing() : Response.json(subscriptionOf('pro'))) },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Your plan could not be read.');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('You are on the Pro plan.')).toBeDefined();
  });
});
