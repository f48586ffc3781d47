import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { address, LATE } from '#app/web/testing/acts.ts';
import type { Alert } from '#features/alerts/contract/alerts.ts';
import { many, raisedOf, someAlerts } from '#features/alerts/web/alerts/fixtures.ts';
import { alertsQuery } from '#features/alerts/web/alerts/queries.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';

import { FakeEventSource } from '../fake-event-source.ts';
import { eachWithItsApp, openApp, pressOpener } from '../testing/open-app.tsx';

eachWithItsApp();

const at = '/app/contact';
const bell = () => screen.findByRole('button', { name: /^Market alerts/ }, LATE);
const never = () => new Promise<Response>(() => {});

async function ring(alerts: readonly Alert[], { calls = {} }: { calls?: Record<string, Answer> } = {}) {
  const app = openApp({
    at,
    as: 'pro',
    calls: { '/api/alerts': answer({ alerts }), '/api/stream/ticket': never, ...calls },
  });
  const button = await bell();
  if (!calls['/api/alerts']) await waitFor(() => expect(app.queries.isFetching({ queryKey: ['alerts'] })).toBe(0));
  return { ...app, button };
}
const opened = (button: HTMLElement): HTMLElement => {
  act(() => void pressOpener(button));
  return document.getElementById(button.getAttribute('popovertarget') ?? '') as HTMLElement;
};
const open = (button: HTMLElement) => within(opened(button));
const rows = (panel: ReturnType<typeof open>) =>
  panel.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
const seen = () => localStorage.getItem('lastSeenAlertId');

describe('alert bell', () => {
  test('rings for users with alerts: reads 20, with the token', async () => {
    const { fetch } = await ring(many(3));
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/alerts?limit=20') ?? [];
    expect(init).toMatchObject({ headers: { authorization: 'Bearer pro-token' } });
    expect((await bell()).getAttribute('aria-label')).toBe('Market alerts, 3 unread');
  });

  test.each(['anonymous', 'free'] as const)('%s: requests nothing', async (as) => {
    const { fetch } = openApp({ at, as });
    await screen.findByRole(as === 'free' ? 'button' : 'link', { name: 'Market alerts, Pro' }, LATE);
    expect(fetch.mock.calls.filter(([url]) => url.startsWith('/api/alerts'))).toEqual([]);
  });

  test("bell and panel show the server’s count, not the row count; the bell '99+' at most", async () => {
    const counts = answer({ total: 132, unread: 120, newest: 20 });
    const { button } = await ring(many(20), { calls: { '/api/alerts/counts': counts } });
    await waitFor(() => expect(button.textContent).toBe('99+'));
    const panel = open(button);
    expect(await panel.findByText('132 total, 99+ unread')).toBeDefined();
    expect(panel.getByRole('link', { name: 'View 122 more alerts' })).toBeDefined();
  });

  test('opening stores the newest id and resets the count; the panel still marks what is new', async () => {
    localStorage.setItem('lastSeenAlertId', '28');
    const { button } = await ring(someAlerts);
    const panel = open(button);
    expect(seen()).toBe('29');
    expect(button.getAttribute('aria-label')).toBe('Market alerts');
    expect(button.textContent).toBe('');
    expect(panel.getByText('1 unread')).toBeDefined();
    expect(panel.getAllByText('New')).toHaveLength(1);
  });

  test('refetches every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-21T12:00:00Z') });
    const { fetch } = await ring(many(1));
    const reads = () => fetch.mock.calls.filter(([url]) => url === '/api/alerts?limit=20').length;
    const before = reads();
    await act(() => vi.advanceTimersByTimeAsync(29_000));
    expect(reads()).toBe(before);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(reads()).toBe(before + 1);
  });

  test('a streamed alert counts immediately and is announced; the first list is not', async () => {
    const ticket = { ticket: 'st_1', expiresAt: '2026-11-21T12:00:30.000Z', topics: ['account', 'alerts'] };
    const { button, fetch, queries } = await ring(many(2), { calls: { '/api/stream/ticket': answer(ticket) } });
    await waitFor(() => expect(FakeEventSource.newest.url).toContain(',account,alerts&ticket=st_1'));
    const voice = document.querySelector('[aria-live=polite]');
    expect([voice?.textContent, button.textContent]).toEqual(['', '2']);
    const reads = () => fetch.mock.calls.filter(([url]) => url.startsWith('/api/alerts?')).length;
    const before = reads();
    act(() => FakeEventSource.newest.connect());
    await waitFor(() => expect([reads(), queries.isFetching({ queryKey: ['alerts'] })]).toEqual([before + 1, 0]));
    act(() => FakeEventSource.newest.say('alerts', { at: 1, alerts: [raisedOf(3, { message: 'SSR fell below 4' })] }));
    await waitFor(() => expect(button.textContent).toBe('3'));
    expect(voice?.textContent).toBe('New alert: SSR fell below 4');
    act(() => FakeEventSource.newest.say('alerts', { at: 2, alerts: [raisedOf(4), raisedOf(5)] }));
    await waitFor(() => expect(voice?.textContent).toBe('2 new alerts. Latest: Alert 5'));
    expect(document.querySelectorAll('[aria-live=polite]')).toHaveLength(1);
    expect(reads()).toBe(before + 1);
  });

  test('alerts arriving while the panel is open count as seen', async () => {
    const { button, queries } = await ring(many(2));
    const panel = open(button);
    act(() => void queries.setQueryData(alertsQuery('pro-token', 20).queryKey, many(3)));
    expect(await panel.findByText('3 unread')).toBeDefined();
    expect([seen(), button.textContent]).toEqual(['3', '']);
  });
});

describe('alert panel', () => {
  test('the first ten, links to the others, and the totals', async () => {
    const { button } = await ring(many(14, 90));
    const panel = open(button);
    expect(panel.getByRole('heading', { name: 'Market Alerts' })).toBeDefined();
    expect(rows(panel)).toHaveLength(10);
    expect(rows(panel)[0]).toContain('Alert 90');
    for (const name of ['View 4 more alerts', 'View all alerts'])
      expect(panel.getByRole('link', { name }).getAttribute('href')).toBe('/app/alerts');
    expect(panel.getByText('14 total, 14 unread')).toBeDefined();
    await userEvent.click(panel.getByRole('link', { name: 'View 4 more alerts' }));
    expect(address()).toBe('/app/alerts');
    expect(document.querySelector('[data-popover=open]')).toBeNull();
  });

  test('ten show no link to more, eleven do', async () => {
    const { button, queries } = await ring(many(10));
    const panel = open(button);
    expect(panel.queryByRole('link', { name: /more alert/ })).toBeNull();
    act(() => void queries.setQueryData(alertsQuery('pro-token', 20).queryKey, many(11)));
    expect(await panel.findByRole('link', { name: 'View 1 more alert' })).toBeDefined();
  });

  test('each row: message, severity, age, and specific details', async () => {
    const { button } = await ring(someAlerts);
    const panel = open(button);
    const text = (message: string) => panel.getByText(message).closest('li')?.textContent ?? '';
    expect(text('BTC fell 8.4% in 24 hours')).toMatch(/High severity.*Just now/);
    expect(text('US CPI, October is in 3 days')).toMatch(/Medium severity.*3m ago/);
    expect(text('US CPI, October is in 3 days')).not.toContain('Past event');
    expect(text('PPI is in 1 day')).toMatch(/2d ago.*Past event/);
    expect(text('BTC went above 70,000 USD')).toContain('2h ago');
    expect(panel.getAllByRole('link', { name: 'See events' })[0]?.getAttribute('href')).toBe('/app/events');
    expect(panel.getByRole('link', { name: 'See your rules' }).getAttribute('href')).toBe('/app/custom-alerts');
    expect(text('SSR fell below 6')).toContain('Acknowledged');
    expect(panel.getAllByRole('button', { name: /^Acknowledge: / })).toHaveLength(4);
  });

  test('the receipt on demand: source, method, and every step with its duration', async () => {
    const { button } = await ring(many(1));
    const asked = open(button).getByRole('button', { name: /Where it comes from: Alert 1/ });
    const receipt = open(asked);
    await receipt.findByText('Source time', {}, LATE);
    const lines = receipt
      .getAllByRole('term')
      .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
    expect(lines).toEqual([
      'Source: CoinGecko',
      'Method: Measured: as reported by the source',
      'Raised: 3m ago',
      'Source time: 21 Nov 2026, 11:56:58.500 UTC',
      'Received: 21 Nov 2026, 11:56:59.700 UTC+1.2 s',
      'Evaluated: 21 Nov 2026, 11:57:00.000 UTC+300 ms',
      'Written: 21 Nov 2026, 11:57:00.007 UTC+7 ms',
    ]);
  });

  test('loading, then empty: No alerts', async () => {
    let give: (response: Response) => void = () => {};
    const { button } = await ring([], {
      calls: { '/api/alerts': () => new Promise<Response>((resolve) => void (give = resolve)) },
    });
    const panel = open(button);
    expect(panel.getByText('Loading alerts')).toBeDefined();
    act(() => give(Response.json({ alerts: [] })));
    expect(await panel.findByText('No alerts')).toBeDefined();
    expect(panel.getByText('Market conditions are stable')).toBeDefined();
    expect(panel.getByText('0 total, 0 unread')).toBeDefined();
    expect(seen()).toBeNull();
  });

  test('error: Failed to fetch alerts, and Retry loads the list', async () => {
    let fails = true;
    const { button } = await ring([], {
      calls: { '/api/alerts': () => (fails ? broken() : Response.json({ alerts: many(1) })) },
    });
    const panel = open(button);
    expect((await panel.findByRole('alert')).textContent).toContain('Failed to fetch alerts');
    fails = false;
    await userEvent.click(panel.getByRole('button', { name: 'Retry' }));
    expect(await panel.findByText('Alert 1')).toBeDefined();
  });

  test('the close button closes it; the browser closes it on an outside click', async () => {
    const { button } = await ring(many(1));
    const panel = opened(button);
    expect(panel.getAttribute('popover')).toBe('auto');
    await userEvent.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(panel.dataset['popover']).toBe('closed');
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('acknowledging in the panel', () => {
  const posted = (fetch: Awaited<ReturnType<typeof ring>>['fetch']) =>
    fetch.mock.calls.filter(([, init]) => init?.method === 'POST' && !init.body).map(([url]) => url);

  test('the row is marked once the server confirms, the count drops by one, and focus moves on', async () => {
    const { button, fetch } = await ring(many(3), {
      calls: { '/api/alerts/3/acknowledge': answer({ id: 3, acknowledged: true }) },
    });
    const panel = open(button);
    await userEvent.click(panel.getByRole('button', { name: 'Acknowledge: Alert 3' }));
    expect(await panel.findByText('2 unread')).toBeDefined();
    expect(panel.getByText('Alert 3').closest('li')?.textContent).toContain('Acknowledged');
    expect(posted(fetch)).toContain('/api/alerts/3/acknowledge');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Acknowledge: Alert 2'));
  });

  test('a failure leaves the row unchanged and is reported', async () => {
    const { button } = await ring(many(1), {
      calls: { '/api/alerts/1/acknowledge': refuse(500, 'Something went wrong on our side', 'internal') },
    });
    const panel = open(button);
    await userEvent.click(panel.getByRole('button', { name: 'Acknowledge: Alert 1' }));
    expect(await screen.findByText('Failed to acknowledge the alert.', {}, LATE)).toBeDefined();
    expect(panel.getByRole('button', { name: 'Acknowledge: Alert 1' })).toBeDefined();
    expect(panel.getByText('1 unread')).toBeDefined();
  });
});
