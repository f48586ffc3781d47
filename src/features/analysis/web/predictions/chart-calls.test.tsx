import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ISeriesPrimitive } from 'lightweight-charts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { eachWithItsApp, openApp } from '#app/web/testing/open-app.tsx';
import { closeCard, failing, never, showCard } from '#app/web/testing/show-card.tsx';
import type { RecordedCall } from '#features/analysis/contract/predictions.ts';
import { ChartCalls } from './chart-calls.tsx';
import { NOT_YET, recorded } from './fixtures.ts';

const CALLS = '/api/track-record/calls';
const HOUR = 3600;
const range_80 = { low: 90, high: 110 };
const at = (hour: number) => new Date(1000 * HOUR * hour).toISOString();
/** Issued at 100, ends at the hour. */
const ends = (hour: number, change: Partial<RecordedCall>) =>
  recorded(hour, {
    provider: 'local',
    price: 100,
    range_80,
    issued_at: at(hour - 24),
    resolves_at: at(hour),
    ...change,
  });
const open = ends(40, { ...NOT_YET, state: 'open' });
const missed = ends(30, { realised: Math.log(1.2), held_80: false });
const held = ends(20, { realised: Math.log(1.05), held_80: true });
const without = ends(10, { range_80: null });
const voided = ends(35, { ...NOT_YET, state: 'void' });
const calls = [open, voided, missed, held, without];

const answer = (list: readonly RecordedCall[]) => Response.json({ calls: list, next: null });
const section = () => screen.findByRole('region', { name: 'Past calls' });
const toggle = async () => userEvent.click(await screen.findByRole('button', { name: 'Past calls' }));

describe('in a coin’s detail view', () => {
  eachWithItsApp();
  const show = (respond: (url: string) => Response | Promise<Response>, coin = 'bitcoin') => {
    const asked: string[] = [];
    openApp({
      at: `/app?coin=${coin}`,
      calls: {
        [CALLS]: (url) => {
          asked.push(url.split('?')[1] ?? '');
          return respond(url);
        },
      },
    });
    return asked;
  };

  test('off at first; switched on, it summarizes and explains the last calls of the chosen horizon', async () => {
    const asked = show(() => answer(calls));
    await section();
    expect(asked).toEqual([]);
    await toggle();
    const past = within(await section());
    expect(await past.findByText('Last 2 calls: 80% range held 1, missed 1 · 1 open')).toBeDefined();
    expect(past.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Held', 'Missed', 'Open']);
    expect(past.getByRole('link', { name: 'Track Record' }).getAttribute('href')).toBe('/app/track-record');
    await userEvent.click(past.getByRole('radio', { name: '7d' }));
    await past.findByText(/each 7d call/);
    expect(location.search).toBe('?coin=bitcoin&calls=7d');
    expect([...new Set(asked)]).toEqual(
      ['24h', '7d'].map((each) => `provider=local&asset=BTC&horizon=${each}&limit=100`),
    );
    await toggle();
    expect(past.queryByRole('list')).toBeNull();
    expect(location.search).toBe('?coin=bitcoin');
  });

  test.each([
    ['no graded calls, one open', [open], 'No graded calls yet · 1 open'],
    ['no calls', [], 'No graded calls yet'],
  ])('%s', async (_, list, words) => {
    show(() => answer(list));
    await toggle();
    expect(await within(await section()).findByText(words)).toBeDefined();
  });

  test('loading', async () => {
    show(never);
    await toggle();
    expect(await screen.findByRole('status', { name: 'Loading past calls' })).toBeDefined();
  });

  test('shows an error, and Retry reloads', async () => {
    let isBroken = true;
    show(() => (isBroken ? failing() : answer(calls)));
    await toggle();
    const alert = within(await within(await section()).findByRole('alert'));
    expect(alert.getByText('Failed to load past calls')).toBeDefined();
    isBroken = false;
    await userEvent.click(alert.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(/^Last 2 calls/)).toBeDefined();
  });

  test('not offered for a coin with no forecasts', async () => {
    show(() => answer(calls), 'dogecoin');
    await screen.findByRole('region', { name: 'Dogecoin details' });
    expect(screen.queryByRole('button', { name: 'Past calls' })).toBeNull();
  });
});

describe('over the chart', () => {
  const drawn = vi.fn<(next: ISeriesPrimitive | null) => void>();
  beforeEach(() => {
    drawn.mockReset();
    return closeCard;
  });

  /** A chart of a pixel per hour and dollar, from hour 15 to hour 50, and what is drawn on it. */
  async function chart() {
    showCard(<ChartCalls symbol="BTC" onDraw={drawn} />, { [CALLS]: () => answer(calls) });
    await toggle();
    await vi.waitFor(() => expect(drawn).toHaveBeenCalled());
    const primitive = drawn.mock.lastCall?.[0];
    let move: (event: { point?: { x: number } }) => void = () => {};
    const timeScale = {
      getVisibleRange: () => ({ from: 15 * HOUR, to: 50 * HOUR }),
      timeToIndex: (time: number) => time / HOUR,
      logicalToCoordinate: (index: number) => index,
    };
    primitive?.attached?.({
      chart: { timeScale: () => timeScale, subscribeCrosshairMove: (handler: typeof move) => (move = handler) },
      series: { priceToCoordinate: (price: number) => 200 - price },
    } as unknown as Parameters<NonNullable<ISeriesPrimitive['attached']>>[0]);
    const marks: string[] = [];
    let dashes = '';
    const context = {
      save() {},
      restore() {},
      beginPath() {},
      stroke: () => marks.push('×'),
      fill() {},
      moveTo() {},
      lineTo() {},
      setLineDash: (dash: number[]) => (dashes = dash.length > 0 ? 'dashed' : 'plain'),
      fillRect: (x: number, top: number, w: number, h: number) => marks.push(`filled ${x + w / 2}: ${top} +${h}`),
      strokeRect: (x: number, top: number, w: number, h: number) => marks.push(`${dashes} ${x + w / 2}: ${top} +${h}`),
      arc: (x: number, y: number) => marks.push(`dot ${x}: ${Math.round(y)}`),
    };
    const target = {
      useMediaCoordinateSpace: (draw: (scope: object) => void) => draw({ context, mediaSize: { width: 100 } }),
    };
    primitive
      ?.paneViews?.()[0]
      ?.renderer()
      ?.draw(target as never);
    return { marks, primitive, point: (x: number) => act(() => move({ point: { x } })) };
  }

  test('a hit is filled with a dot, a miss is an outline with a cross, open is dashed; all within its scale', async () => {
    const { marks, primitive } = await chart();
    expect(marks).toEqual(['filled 20: 90 +20', 'dot 20: 95', 'plain 30: 90 +20', '×', 'dashed 40: 90 +20']);
    const fit = primitive?.autoscaleInfo?.(0 as never, 0 as never)?.priceRange;
    expect([fit?.minValue, Math.round(fit?.maxValue ?? 0)]).toEqual([90, 120]);
    await toggle();
    expect(drawn.mock.lastCall).toEqual([null]);
  });

  test('reads out the call under the pointer', async () => {
    const { point } = await chart();
    point(31);
    expect(screen.getByText(/^24h call of 1 Jan 1970, 06:00:00 UTC/).textContent).toContain(
      '$90.00 – $110.00, ended at $120.00: missed',
    );
    point(60);
    expect(screen.queryByText(/^24h call of/)).toBeNull();
  });
});
