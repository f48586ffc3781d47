import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { address, LATE, press } from '#app/web/testing/acts.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { ALERT_KINDS } from '#features/accounts/web/subscriptions/upsells.ts';
import type { Alert } from '#features/alerts/contract/alerts.ts';
import { alertOf, many, someAlerts } from '#features/alerts/web/alerts/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { openApp, wholePayload } from '../testing/open-app.tsx';

const never = () => new Promise<Response>(() => {});

async function open(alerts: readonly Alert[], calls: Record<string, Answer> = {}, at = '/app/alerts') {
  const app = openApp({
    at,
    as: 'pro',
    calls: { '/api/alerts': answer({ alerts }), '/api/stream/ticket': never, ...calls },
  });
  await screen.findByRole('searchbox', { name: 'Search alerts' }, LATE);
  return app;
}
const rows = () => {
  const list = screen.queryByRole('list', { name: 'Alerts' });
  return list
    ? within(list)
        .getAllByRole('listitem')
        .map((item) => item.querySelector('p')?.textContent)
    : [];
};
const tiles = () =>
  within(screen.getByLabelText('Unacknowledged alerts'))
    .getAllByRole('term')
    .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
const main = () => within(screen.getByRole('main'));

describe('/app/alerts, states', () => {
  test('loading, without counts', async () => {
    await open([], { '/api/alerts': never });
    expect(screen.getByText('Loading Alerts')).toBeDefined();
    expect(tiles()[0]).toBe('TotalUnacknowledged –');
  });

  test.each([
    ['Failed to fetch alerts', broken],
    ['Authentication required', refuse(401, 'Authentication required', 'unauthenticated')],
  ])('error: %s, and Retry loads them', async (words, failing) => {
    let fails = true;
    await open([], { '/api/alerts': () => (fails ? failing() : Response.json({ alerts: many(1) })) });
    const alert = await main().findByRole('alert');
    expect(alert.textContent).toContain(words);
    fails = false;
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(rows()).toEqual(['Alert 1']));
  });

  test('empty: No alerts found', async () => {
    await open([]);
    expect(await screen.findByText('No alerts found')).toBeDefined();
    expect(screen.getByText('Market conditions are stable')).toBeDefined();
  });
});

describe('/app/alerts, contents', () => {
  test('requests a hundred; the tiles count unacknowledged alerts', async () => {
    const { fetch } = await open(someAlerts);
    await waitFor(() => expect(rows()).toHaveLength(4));
    expect(fetch.mock.calls.map(([url]) => url)).toContain('/api/alerts?limit=100');
    expect(tiles()).toEqual(['TotalUnacknowledged 4', 'Highseverity 1', 'Mediumseverity 3', 'Lowseverity 0']);
    expect(screen.getByText('4 of 5 shown')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Market Alerts' })).toBeDefined();
  });

  test('a full hundred are labeled as the latest', async () => {
    await open(many(100));
    expect(await screen.findByText('100 of 100 shown, latest')).toBeDefined();
  });

  test('by severity, message text and acknowledged state; the tiles do not change', async () => {
    await open(someAlerts);
    await waitFor(() => expect(rows()).toHaveLength(4));
    await userEvent.click(screen.getByRole('radio', { name: 'Medium' }));
    expect(rows()).toHaveLength(3);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search alerts' }), 'btc');
    await waitFor(() => expect(rows()).toEqual(['BTC went above 70,000 USD']));
    await waitFor(() => expect(address()).toBe('/app/alerts?severity=medium&search=btc'));
    expect(tiles()[0]).toBe('TotalUnacknowledged 4');
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Search alerts' }));
    await waitFor(() => expect(address()).toBe('/app/alerts?severity=medium'));
    await userEvent.click(screen.getByRole('radio', { name: 'All' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Show acknowledged' }));
    await waitFor(() => expect(rows()).toHaveLength(5));
    expect(address()).toBe('/app/alerts?acknowledged=1');
  });

  test('a pause after a space drops no typed text', async () => {
    await open(someAlerts);
    const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search alerts' });
    await userEvent.type(box, 'btc ');
    await waitFor(() => expect(address()).toBe('/app/alerts?search=btc'));
    await userEvent.type(box, 'went');
    await waitFor(() => expect(address()).toBe('/app/alerts?search=btc+went'));
    expect(box.value).toBe('btc went');
  });

  test('the URL opens its view; an empty result can be reset', async () => {
    await open(someAlerts, {}, '/app/alerts?severity=low&search=nothing');
    expect(await screen.findByText('No alerts found')).toBeDefined();
    await press('Clear filters');
    await waitFor(() => expect(rows()).toHaveLength(4));
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search alerts' }).value).toBe('');
  });

  test('when all matches are acknowledged, the page says so and shows them', async () => {
    await open([alertOf(3, { acknowledged: true })]);
    expect(await screen.findByText('All alerts are acknowledged.')).toBeDefined();
    await press('Show 1 acknowledged');
    await waitFor(() => expect(rows()).toEqual(['Alert 3']));
  });

  test('an acknowledged alert leaves the list, or is marked where those are shown', async () => {
    await open(many(2), {
      '/api/alerts/2/acknowledge': answer({ id: 2, acknowledged: true }),
      '/api/alerts/1/acknowledge': answer({ id: 1, acknowledged: true }),
    });
    await press('Acknowledge: Alert 2');
    await waitFor(() => expect(rows()).toEqual(['Alert 1']));
    expect(tiles()[0]).toBe('TotalUnacknowledged 1');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Show acknowledged' }));
    await press('Acknowledge: Alert 1');
    await waitFor(() => expect(main().getAllByText('Acknowledged')).toHaveLength(2));
    expect(rows()).toEqual(['Alert 2', 'Alert 1']);
  });

  test('Refresh refetches the list and shows a busy state', async () => {
    let give = () => {};
    let held = false;
    await open([], {
      '/api/alerts': () =>
        held
          ? new Promise<Response>((resolve) => void (give = () => resolve(Response.json({ alerts: many(2) }))))
          : Response.json({ alerts: many(1) }),
    });
    await waitFor(() => expect(rows()).toHaveLength(1));
    held = true;
    await userEvent.click(main().getByRole('button', { name: 'Refresh' }));
    expect(main().getByRole('button', { name: 'Refresh' }).getAttribute('aria-disabled')).toBe('true');
    act(() => give());
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(main().getByRole('button', { name: 'Refresh' }).getAttribute('aria-disabled')).toBe('false');
  });
});

describe('alerts on the dashboard', () => {
  const card = () => screen.findByRole('region', { name: 'Market Alerts' }, LATE);
  const alerts = { '/api/alerts': answer({ alerts: many(3) }) };

  test('appear right after the analysis', async () => {
    openApp();
    await card();
    const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-labelledby'));
    expect(names.indexOf('market-alerts')).toBe(names.indexOf('ai-analysis') + 1);
  });

  test.each(['anonymous', 'free'] as const)(
    '%s: the upsell, labeled Pro, at the height of the alerts card',
    async (as) => {
      const { fetch } = openApp({ as });
      await screen.findByText('Pro alerts you to:', {}, LATE);
      const region = await card();
      const link = within(region).getByRole('link', { name: 'Upgrade to Pro' });
      expect(link.getAttribute('href')).toBe('/app/subscription');
      expect(within(region).getByText('Pro')).toBeDefined();
      expect(within(region).getAllByRole('listitem')).toHaveLength(ALERT_KINDS.length);
      expect(region.textContent).toContain('High-impact events');
      expect(fetch.mock.calls.filter(([url]) => url.startsWith('/api/alerts'))).toEqual([]);
    },
  );

  test('while the account loads no upsell is shown; if it fails, Retry', async () => {
    let account = broken;
    openApp({ as: 'pro', calls: { ...alerts, '/api/subscription': () => account() } });
    const alert = await within(await card()).findByRole('alert', {}, LATE);
    expect(alert.textContent).toContain('Failed to check authentication status. Please try again.');
    account = answer(subscriptionOf('pro'));
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Alert 3', {}, LATE)).toBeDefined();
  });

  test('at an earlier moment explains that alerts are current only, and shows none', async () => {
    const then = wholePayload({ asOf: '2026-11-20T12:00:00.000Z' });
    openApp({
      at: '/app?asOf=2026-11-20T12:00:00.000Z',
      as: 'pro',
      calls: { ...alerts, '/api/dashboard': answer(then) },
    });
    expect(await screen.findByText('Alerts are live only', {}, LATE)).toBeDefined();
    expect(within(await card()).queryByText('Alert 3')).toBeNull();
    expect(
      within(await card())
        .getByRole('link', { name: 'View all alerts' })
        .getAttribute('href'),
    ).toBe('/app/alerts');
  });
});
