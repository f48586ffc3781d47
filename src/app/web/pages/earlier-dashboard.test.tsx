import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { frame, NOON } from '#features/market/web/market/fixtures.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';

import { closeApp, freezeTime, openApp, payload, wholePayload } from '../testing/open-app.tsx';

const DAY_MS = 86_400_000;
const NOW = NOON + 7 * DAY_MS;
const AS_OF = '2026-11-21T12:00:00.000Z';

// The payload is of noon, seven days ago.
beforeEach(() => freezeTime(NOW));
afterEach(closeApp);

const at = (url: string) => new URL(url, 'http://x').searchParams.get('asOf');
const dashboards = (url: string) => {
  const asOf = at(url);
  return Response.json(asOf ? wholePayload({ asOf }) : payload());
};
type Viewer = Parameters<typeof openApp>[0] & object;
const open = (
  asOf: string | null,
  answer: (url: string) => Response | Promise<Response> = dashboards,
  as: Viewer['as'] = 'anonymous',
) => openApp({ at: asOf ? `/app?asOf=${asOf}` : '/app', calls: { '/api/dashboard': answer }, as });
const banner = () => screen.findByRole('region', { name: 'Earlier moment' });
const address = () => decodeURIComponent(screen.getByLabelText('Address').textContent ?? '');

describe('the dashboard of an earlier moment', () => {
  test('asks for it, says so, and shows every card from that one payload; ages count from that moment, ticks are not applied, rows open no detail of now', async () => {
    const { fetch } = open(AS_OF);
    expect(await screen.findByText('Showing 21 Nov 2026, 12:00 UTC, from stored observations')).toBeDefined();
    const bitcoin = await screen.findByRole('rowheader', { name: /BTC/ });
    expect(await screen.findByRole('button', { name: 'Bitcoin Store of value' })).toBeDefined();
    expect(await screen.findByText('Stablecoin supply ratio')).toBeDefined();
    expect((await screen.findAllByRole('button', { name: /^DePIN/ })).length).toBe(1);
    expect(await screen.findByRole('region', { name: 'CPI' })).toBeDefined();
    const asked = fetch.mock.calls.map(([url]) => url);
    expect(asked.map(at)).toContain(AS_OF);
    expect(new Set(asked.filter((url) => url.startsWith('/api/inflation/')))).toEqual(
      new Set([`/api/inflation/at?asOf=${encodeURIComponent(AS_OF)}`]),
    );
    for (const path of ['/api/trending-narratives', '/api/advanced-metrics', '/api/layer1-data'])
      expect(asked).not.toContain(path);
    const card = screen.getByRole('region', { name: 'Crypto Prices' });
    expect(card.textContent).toContain('Updated 12s ago');
    act(() => ticks.push(frame(['bitcoin', 1, -99, null, 0, NOW])));
    expect(card.textContent).toContain('97,412.50');
    expect(card.textContent).not.toContain('Stale');
    expect(within(bitcoin).getByRole('button', { name: 'BTC Bitcoin' }).hasAttribute('disabled')).toBe(true);
  });

  test('what was not stored is said to be missing', async () => {
    open(AS_OF, () => Response.json(payload({ asOf: AS_OF })));
    expect(await screen.findByText('No real Layer 1 data available')).toBeDefined();
    expect((await screen.findAllByText('No narrative data available')).length).toBeGreaterThan(0);
    expect(await screen.findByText('No advanced metrics available')).toBeDefined();
    expect(await screen.findByText('No upcoming events available')).toBeDefined();
    await vi.waitFor(() => expect(screen.getAllByText('Nothing of it was stored at that moment.')).toHaveLength(4));
    expect(screen.getByText('The calendar of that moment is not stored.')).toBeDefined();
  });

  test("a refusal is told in the server's words with the plan that looks further, and Back to now leaves it", async () => {
    const words = 'Observations are kept for 30 days.';
    open('2020-01-01T00:00:00Z', (url) =>
      at(url) ? Response.json({ error: words, code: 'upgrade_required' }, { status: 403 }) : dashboards(url),
    );
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect((await banner()).textContent).toContain('1 Jan 2020, 00:00 UTC cannot be shown');
    expect(within(await banner()).getByRole('link', { name: 'View plans' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Crypto Prices' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(address()).toBe('/app');
    expect(await screen.findByRole('region', { name: 'Crypto Prices' })).toBeDefined();
  });

  test('an address that names no moment', async () => {
    open('yesterday');
    expect(await screen.findByText('The address contains no valid time')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(address()).toBe('/app');
  });

  test('steps of an hour and a day; a step past now is now', async () => {
    const step = async (name: string) => userEvent.click(within(await banner()).getByRole('button', { name }));
    open(AS_OF);
    for (const [name, to] of [
      ['One day earlier', '2026-11-20T12:00:00.000Z'],
      ['One hour earlier', '2026-11-20T11:00:00.000Z'],
      ['One day later', '2026-11-21T11:00:00.000Z'],
      ['One hour later', AS_OF],
    ] as const) {
      await step(name);
      expect(address()).toBe(`/app?asOf=${to}`);
    }
    closeApp();
    freezeTime(NOW);
    open(new Date(NOW - 1_800_000).toISOString());
    await step('One hour later');
    expect(address()).toBe('/app');
  });
});

describe('the time control', () => {
  const dialog = async () => {
    await userEvent.click(await screen.findByRole('button', { name: /^Time shown/ }));
    return screen.findByRole('dialog', { name: 'Time shown' });
  };
  const field = (box: HTMLElement) => within(box).getByLabelText('Moment (UTC)');

  test('from now one can only step back; a chosen moment stands in the address', async () => {
    open(null);
    let box = await dialog();
    expect((field(box) as HTMLInputElement).value).toBe('2026-11-28T12:00');
    expect(within(box).getByRole('button', { name: 'One hour later' }).hasAttribute('disabled')).toBe(true);
    await userEvent.click(within(box).getByRole('button', { name: 'One day earlier' }));
    expect(address()).toBe('/app?asOf=2026-11-27T12:00:00.000Z');
    box = await dialog();
    fireEvent.change(field(box), { target: { value: '2026-11-25T08:30' } });
    await userEvent.click(within(box).getByRole('button', { name: 'Show this moment' }));
    expect(address()).toBe('/app?asOf=2026-11-25T08:30:00.000Z');
    expect((await banner()).textContent).toContain('25 Nov 2026, 08:30 UTC');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each(['2026-10-01T00:00', '2026-12-24T00:00'])('%s is not within the last 30 days', async (value) => {
    open(null);
    const box = await dialog();
    fireEvent.change(field(box), { target: { value } });
    expect(within(box).getByText('Choose a moment within the last 30 days.')).toBeDefined();
    expect(within(box).getByRole('button', { name: 'Show this moment' }).hasAttribute('disabled')).toBe(true);
  });

  test.each(['anonymous', 'free'] as const)('%s: past the limit it says which plan looks further', async (as) => {
    open(null, dashboards, as);
    const box = await dialog();
    expect(within(box).getByText(/at most 30 days back/)).toBeDefined();
    fireEvent.change(field(box), { target: { value: '2026-10-01T00:00' } });
    expect(box.textContent).toContain('Pro shows the full stored history.');
    const plans = within(box).getByRole('link', { name: 'View plans' });
    expect(plans.getAttribute('href')).toBe('/app/subscription');
    fireEvent.change(field(box), { target: { value: '2026-12-24T00:00' } });
    expect(within(box).queryByRole('link')).toBeNull();
  });

  test('Pro: as far back as there are observations', async () => {
    open(null, dashboards, 'pro');
    await screen.findByRole('button', { name: 'Your account' });
    const box = await dialog();
    expect(await within(box).findByText(/as far back as they go/)).toBeDefined();
    expect(field(box).getAttribute('min')).toBeNull();
    fireEvent.change(field(box), { target: { value: '2026-12-24T00:00' } });
    expect(within(box).getByText('Choose a moment that has passed.')).toBeDefined();
    fireEvent.change(field(box), { target: { value: '2024-02-03T04:05' } });
    await userEvent.click(within(box).getByRole('button', { name: 'Show this moment' }));
    expect(address()).toBe('/app?asOf=2024-02-03T04:05:00.000Z');
  });
});
