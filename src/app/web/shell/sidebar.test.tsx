import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { eachWithItsApp, openApp } from '../testing/open-app.tsx';

eachWithItsApp();

const PLANS = '/app/subscription';
const MAIN = [
  'Dashboard /app',
  'Upcoming Events /app/events',
  'Historical Data /app/history',
  'Track Record /app/track-record',
  'Data Sources /app/sources',
];
const PROFILE = 'Profile /app/profile';
const ACCOUNT = [`Subscription Plans ${PLANS}`, 'API Reference /app/api', 'Contact /app/contact'];
const LOCKED = ['Advanced AnalyticsPro', 'Custom AlertsPro', 'Data ExportPro', 'Advanced ExportPro'].map(
  (name) => `${name} ${PLANS}`,
);
const OWN = 'Custom Alerts /app/custom-alerts';
const EXPORT = 'Data Export /app/data-export';
const ADVANCED = [`Advanced AnalyticsPremium+ ${PLANS}`, OWN, EXPORT, `Advanced ExportPremium+ ${PLANS}`];
const TOOLS = ['Advanced Analytics /app/advanced-analytics', OWN, EXPORT, 'Advanced Export /app/advanced-export'];
const ALERTS = 'Market Alerts /app/alerts';
const ADMIN = ['Admin Dashboard /app/admin', ALERTS, 'Error Logs /app/errors'];

/** Every link of the lists, as its text and its address; the watchlist and the feeds are not pages. */
const links = () =>
  within(screen.getByRole('navigation', { name: 'Main' }))
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link'))
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`);

describe('sidebar', () => {
  test.each([
    ['anonymous', [...MAIN, 'Home /', ...LOCKED, ...ACCOUNT]],
    ['free', [...MAIN, ...LOCKED, PROFILE, ...ACCOUNT]],
    ['pro', [...MAIN, ALERTS, ...ADVANCED, PROFILE, ...ACCOUNT]],
    ['premium', [...MAIN, ALERTS, ...TOOLS, PROFILE, ...ACCOUNT]],
    ['admin', [...MAIN, ...TOOLS, PROFILE, ...ACCOUNT, ...ADMIN]],
  ] as const)('%s sees what the plan includes, and the rest locked', async (as, offered) => {
    openApp({ at: PLANS, as });
    await within(screen.getByRole('navigation', { name: 'Main' })).findByRole('link', { name: 'Contact' });
    expect(links()).toEqual(offered);
  });

  test('while the account loads only the main pages are shown', async () => {
    openApp({ at: PLANS, as: 'pro', calls: { '/api/subscription': () => new Promise<Response>(() => {}) } });
    await screen.findByRole('button', { name: 'Your account' });
    expect(links()).toEqual(MAIN);
  });

  test('locks nothing when the account cannot be read', async () => {
    const failing = () =>
      Response.json({ error: 'Something went wrong on our side', code: 'internal' }, { status: 500 });
    openApp({ at: PLANS, as: 'pro', calls: { '/api/subscription': failing } });
    await within(screen.getByRole('navigation', { name: 'Main' })).findByRole('link', { name: 'Profile' });
    expect(links()).toEqual([...MAIN, PROFILE, ...ACCOUNT]);
  });

  test('marks the current page, never a locked one', async () => {
    openApp({ at: PLANS });
    const sidebar = screen.getByRole('navigation', { name: 'Main' });
    await within(sidebar).findByRole('link', { name: 'Contact' });
    const marked = within(sidebar)
      .getAllByRole('link')
      .filter((link) => link.getAttribute('aria-current') === 'page');
    expect(marked.map(({ textContent }) => textContent)).toEqual(['Subscription Plans']);
  });

  test('marks the parent of a nested page', async () => {
    openApp({ at: '/app/track-record/league', calls: { '/api/league': () => new Response(null, { status: 500 }) } });
    const sidebar = screen.getByRole('navigation', { name: 'Main' });
    expect(within(sidebar).getByRole('link', { current: 'page' }).textContent).toBe('Track Record');
  });
});
