import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { recorded } from '#features/analysis/web/predictions/fixtures.ts';
import { frame, NOON } from '#features/market/web/market/fixtures.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';

import { closeApp, freezeTime, openApp, payload, wholePayload } from '../testing/open-app.tsx';

const DAY_MS = 86_400_000;
const NOW = NOON + 7 * DAY_MS;
const AS_OF = '2026-11-21T12:00:00.000Z';

// The payload is from noon, seven days ago.
beforeEach(() => freezeTime(NOW));
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
const timeBar = () => screen.findByRole('region', { name: 'Time shown' });
const UNTIL_MS = 10_000;
const address = () => decodeURIComponent(location.pathname + location.search);
const untilAddress = (to: string) => vi.waitFor(() => expect(address()).toBe(to), UNTIL_MS);

describe('dashboard of an earlier moment', () => {
  test('requests it, shows it, and renders every card from that one payload; ages count from that moment, ticks are not applied, rows open no current details', async () => {
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

  test('reports data that was not stored as missing', async () => {
    open(AS_OF, () => Response.json(payload({ asOf: AS_OF })));
    expect(await screen.findByText('No real Layer 1 data available')).toBeDefined();
    expect((await screen.findAllByText('No narrative data available')).length).toBeGreaterThan(0);
    expect(await screen.findByText('No advanced metrics available')).toBeDefined();
    expect(await screen.findByText('No upcoming events available')).toBeDefined();
    await vi.waitFor(() => expect(screen.getAllByText('No data was stored for that time.')).toHaveLength(4));
    expect(screen.getByText('No calendar is stored for that time.')).toBeDefined();
  });

  test('a refusal shows the server’s message and the plan that reaches further; Back to now exits', async () => {
    const words = 'Observations are kept for 30 days.';
    open('2020-01-01T00:00:00Z', (url) =>
      at(url) ? Response.json({ error: words, code: 'upgrade_required' }, { status: 403 }) : dashboards(url),
    );
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect((await timeBar()).textContent).toContain('1 Jan 2020, 00:00 UTC cannot be shown');
    expect(within(await timeBar()).getByRole('link', { name: 'View plans' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Crypto Prices' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(address()).toBe('/app');
    expect(await screen.findByRole('region', { name: 'Crypto Prices' })).toBeDefined();
  });

  test('an invalid moment in the URL', async () => {
    open('yesterday');
    expect(await screen.findByText('The URL contains no valid time')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(address()).toBe('/app');
  });

  test('steps of an hour and a day; a step past now shows now', async () => {
    const step = async (name: string) => userEvent.click(within(await timeBar()).getByRole('button', { name }));
    open(AS_OF);
    for (const [name, to] of [
      ['One day earlier', '2026-11-20T12:00:00.000Z'],
      ['One hour earlier', '2026-11-20T11:00:00.000Z'],
      ['One day later', '2026-11-21T11:00:00.000Z'],
      ['One hour later', AS_OF],
    ] as const) {
      await step(name);
      await untilAddress(`/app?asOf=${to}`);
      await screen.findByText(`Showing ${to.slice(8, 10)} Nov 2026, ${to.slice(11, 16)} UTC, from stored observations`);
    }
    closeApp();
    freezeTime(NOW);
    open(new Date(NOW - 1_800_000).toISOString());
    await step('One hour later');
    await untilAddress('/app');
  });
});

describe('time bar', () => {
  const bar = async () => {
    await userEvent.click(await screen.findByRole('button', { name: /^Time shown/ }));
    return timeBar();
  };
  const slider = (box: HTMLElement) => within(box).getByRole<HTMLInputElement>('slider', { name: 'Moment' });
  const field = (box: HTMLElement) => within(box).getByLabelText<HTMLInputElement>('Moment (UTC)');
  const choose = (box: HTMLElement, value: string) => fireEvent.change(field(box), { target: { value } });

  test('opens at now; dragging the slider updates the page once it stops, its right end is now, and it closes', async () => {
    const { fetch } = open(null);
    const box = await bar();
    expect(box.textContent).toContain('Live. Drag to see the dashboard at an earlier moment.');
    expect([slider(box).getAttribute('aria-valuetext'), field(box).value]).toEqual(['Now', '2026-11-28T12:00']);
    expect(within(box).getByRole('button', { name: 'One hour later' }).hasAttribute('disabled')).toBe(true);
    for (const at of ['2026-11-26T00:00', '2026-11-25T08:30'])
      fireEvent.change(slider(box), { target: { value: String(Date.parse(`${at}Z`)) } });
    expect(box.textContent).toContain('Loading 25 Nov 2026, 08:30 UTC');
    await untilAddress('/app?time=7d&asOf=2026-11-25T08:30:00.000Z');
    expect(await screen.findByText('Showing 25 Nov 2026, 08:30 UTC, from stored observations')).toBeDefined();
    expect(fetch.mock.calls.map(([url]) => at(url)).filter(Boolean)).not.toContain('2026-11-26T00:00:00.000Z');
    fireEvent.change(slider(box), { target: { value: slider(box).max } });
    await untilAddress('/app?time=7d');
    await screen.findByText('Live. Drag to see the dashboard at an earlier moment.');
    await userEvent.click(within(await timeBar()).getByRole('button', { name: 'Close the time bar' }));
    await untilAddress('/app');
    expect(screen.queryByRole('region', { name: 'Time shown' })).toBeNull();
  });

  test('the calls on the slider are those issued by the moment shown, with their grades at that time', async () => {
    const made = (seq: number, days: number, outcome: string | null) =>
      recorded(seq, {
        issued_at: new Date(NOW - days * DAY_MS).toISOString(),
        resolved_at: outcome && new Date(NOW - (days - 1) * DAY_MS).toISOString(),
        state: outcome ? 'graded' : 'open',
        predicted_direction: 'BULLISH',
        actual_direction: outcome as 'BULLISH' | null,
      });
    const calls = [made(4, 0.5, null), made(3, 2, 'BEARISH'), made(2, 4, 'BULLISH'), made(1, 20, 'BULLISH')];
    openApp({
      calls: { '/api/dashboard': dashboards, '/api/track-record/calls': () => Response.json({ calls, next: null }) },
    });
    const box = await bar();
    const says = (text: string) =>
      vi.waitFor(() => expect(box.textContent).toContain(`BTC 24h consensus calls by then: ${text}`), UNTIL_MS);
    await says('1 hit, 1 miss, 1 open');
    fireEvent.change(slider(box), { target: { value: String(NOW - 1.5 * DAY_MS) } });
    await says('1 hit, 0 misses, 1 open');
    fireEvent.change(slider(box), { target: { value: String(NOW - 5 * DAY_MS) } });
    await says('0 hits, 0 misses, 0 open');
    closeApp();
    freezeTime(NOW);
    open(null);
    expect((await bar()).textContent).not.toContain('0 hits');
    expect(await screen.findByText('Couldn’t load the calls.')).toBeDefined();
  });

  test('a visitor can choose within 30 days; other times explain why not and which plan reaches further', async () => {
    open(null);
    const box = await bar();
    expect(
      within(box)
        .getAllByRole('radio')
        .map((each) => each.closest('label')?.textContent),
    ).toEqual(['24h', '7d', '30d']);
    choose(box, '2026-10-01T00:00');
    expect(box.textContent).toContain('Choose a moment within the last 30 days.Pro shows the full stored history.');
    expect(within(box).getByRole('link', { name: 'View plans' }).getAttribute('href')).toBe('/app/subscription');
    choose(box, '2026-12-24T00:00');
    expect(within(box).queryByRole('link')).toBeNull();
    choose(box, '2026-11-01T10:07');
    await untilAddress('/app?time=7d&asOf=2026-11-01T10:07:00.000Z');
  });

  test('Pro: a year on the slider, and as far back as stored observations', async () => {
    open(null, dashboards, 'pro');
    await screen.findByRole('button', { name: 'Your account' });
    const box = await bar();
    await userEvent.click(await within(box).findByRole('radio', { name: '1y' }));
    expect(new Date(Number(slider(box).min)).toISOString()).toBe('2025-11-29T00:00:00.000Z');
    expect(field(box).getAttribute('min')).toBeNull();
    choose(box, '2026-12-24T00:00');
    expect(within(box).getByText('Choose a moment that has passed.')).toBeDefined();
    choose(box, '2024-02-03T04:05');
    await untilAddress('/app?time=1y&asOf=2024-02-03T04:05:00.000Z');
  });
});
