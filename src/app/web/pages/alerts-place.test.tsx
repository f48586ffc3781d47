// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { LATE } from '#app/web/testing/acts.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { ALERT_KINDS } from '#features/accounts/web/subscriptions/upsells.ts';
import { many } from '#features/alerts/web/alerts/fixtures.ts';
import { answer, broken } from '#ui/testing/answers.ts';

import { eachWithItsApp, openApp, wholePayload } from '../testing/open-app.tsx';

eachWithItsApp();

const card = () => screen.findByRole('region', { name: 'Market Alerts' }, LATE);
const alerts = { '/api/alerts': answer({ alerts: many(3) }) };

describe('the place of Market Alerts on the dashboard', () => {
  test('stands right after the analysis', async () => {
    openApp();
    await card();
    const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-labelledby'));
    expect(names.indexOf('market-alerts')).toBe(names.indexOf('ai-analysis') + 1);
  });

  test.each(['anonymous', 'free'] as const)('%s: the upsell, labelled Pro, at the height of the alerts', async (as) => {
    const { fetch } = openApp({ as });
    await screen.findByText('Pro alerts you to:', {}, LATE);
    const region = await card();
    const link = within(region).getByRole('link', { name: 'Upgrade to Pro' });
    expect(link.getAttribute('href')).toBe('/app/subscription');
    expect(within(region).getByText('Pro')).toBeDefined();
    expect(within(region).getAllByRole('listitem')).toHaveLength(ALERT_KINDS.length);
    expect(region.textContent).toContain('High-impact events');
    expect(region.className).toContain('min-h-[27rem]');
    expect(fetch.mock.calls.filter(([url]) => url.startsWith('/api/alerts'))).toEqual([]);
  });

  test('Pro: the alerts, at the same height', async () => {
    openApp({ as: 'pro', calls: alerts });
    await screen.findByText('Alert 3', {}, LATE);
    expect((await card()).className).toContain('min-h-[27rem]');
    expect(within(await card()).queryByRole('link', { name: 'Upgrade to Pro' })).toBeNull();
  });

  test('while the account is read nothing is sold; when it cannot be read, Retry', async () => {
    let account = broken;
    openApp({ as: 'pro', calls: { ...alerts, '/api/subscription': () => account() } });
    const alert = await within(await card()).findByRole('alert', {}, LATE);
    expect(alert.textContent).toContain('Failed to check authentication status. Please try again.');
    account = answer(subscriptionOf('pro'));
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Alert 3', {}, LATE)).toBeDefined();
  });

  test('at an earlier moment it says that alerts tell of now, and shows none', async () => {
    const then = wholePayload({ asOf: '2026-11-20T12:00:00.000Z' });
    openApp({
      at: '/app?asOf=2026-11-20T12:00:00.000Z',
      as: 'pro',
      calls: { ...alerts, '/api/dashboard': answer(then) },
    });
    expect(await screen.findByText('Alerts tell of now', {}, LATE)).toBeDefined();
    expect(within(await card()).queryByText('Alert 3')).toBeNull();
    expect(
      within(await card())
        .getByRole('link', { name: 'View all alerts' })
        .getAttribute('href'),
    ).toBe('/app/alerts');
  });
});
