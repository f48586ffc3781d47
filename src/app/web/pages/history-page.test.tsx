import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { address, LATE, press } from '#app/web/testing/acts.ts';
import { HISTORY_TYPES, type HistoryRecord, type HistoryReply } from '#features/exports/contract/history.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';

const LAST = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

const recordOf = (i: number, change: Partial<HistoryRecord> = {}): HistoryRecord => {
  const timestamp = new Date(LAST - i * HOUR_MS).toISOString();
  return {
    id: `BTC@${timestamp}`,
    timestamp,
    symbol: 'BTC',
    value: 60_000 + ((i * 37) % 101),
    unit: 'USD',
    source: 'OKX',
    fetchedAt: timestamp,
    method: 'measured',
    change: i,
    change_percent: i / 10,
    ...change,
  };
};
const replyOf = (records: readonly HistoryRecord[], change: Partial<HistoryReply> = {}): HistoryReply => ({
  type: 'CRYPTO_PRICE',
  symbols: ['BTC', 'ETH'],
  records: [...records],
  nextCursor: null,
  limitedToDays: null,
  reason: null,
  ...change,
});
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => recordOf(from + i));

const PRICES = '/api/history/CRYPTO_PRICE';
const said = { market_direction: 'BULLISH', confidence: 64.4, reasoning: 'Flows turned.' };
const predictions = {
  preparing: null,
  timestamp: '2026-11-20T11:00:00.000Z',
  short_term: said,
  medium_term: { ...said, market_direction: 'NEUTRAL', confidence: 40 },
  long_term: { ...said, market_direction: 'BEARISH', confidence: 81 },
  overall_direction: 'NEUTRAL',
  overall_confidence: 38,
};
const noPredictions = {
  preparing: null,
  timestamp: null,
  short_term: null,
  medium_term: null,
  long_term: null,
  overall_direction: null,
  overall_confidence: null,
};

type Options = { as?: 'anonymous' | 'free' | 'pro'; at?: string; calls?: Record<string, Answer> };
const open = ({ as = 'pro', at = '/app/history', calls = {} }: Options = {}) =>
  openApp({
    at,
    as,
    calls: { [PRICES]: answer(replyOf(many(0, 3))), '/api/predictions': answer(predictions), ...calls },
  });

const table = () => screen.findByRole('region', { name: 'Stored values' }, LATE);
async function column(index: number): Promise<(string | undefined)[]> {
  const rows = within(await table())
    .getAllByRole('row')
    .slice(1);
  return rows.map((row) => row.querySelectorAll('td')[index]?.textContent ?? undefined);
}
const choose = async (label: string, option: string) =>
  userEvent.selectOptions(await screen.findByLabelText(label, {}, LATE), option);
const asked = (fetch: ReturnType<typeof open>['fetch']) =>
  fetch.mock.calls.map(([url]) => url).filter((url) => url.startsWith('/api/history'));

describe('AI Market Predictions', () => {
  test('short, medium and long term and overall, each with direction, confidence and reason; arrow keys read the line; a header sorts ascending, then descending, then not; the sort menu matches', async () => {
    open();
    await screen.findByText(/^Short term/, {}, LATE);
    const card = within(screen.getByRole('region', { name: 'AI Market Predictions' }));
    expect(
      card.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`),
    ).toEqual([
      'Short term, 1–7 days: Bullish64% confidenceFlows turned.',
      'Medium term, 1–4 weeks: Neutral40% confidenceFlows turned.',
      'Long term, 1–6 months: Bearish81% confidenceFlows turned.',
      'Overall, all horizons combined: Neutral38% confidence',
    ]);
    const line = await screen.findByRole('slider', { name: 'BTC over time' }, LATE);
    expect(line.getAttribute('aria-valuetext')).toBe('20 Nov 2026, 12:00 UTC: $60,000.00');
    line.focus();
    await userEvent.keyboard('{ArrowLeft}');
    expect(line.getAttribute('aria-valuetext')).toBe('20 Nov 2026, 11:00 UTC: $60,037.00');
    await userEvent.keyboard('{Home}');
    expect(line.getAttribute('aria-valuetext')).toBe('20 Nov 2026, 10:00 UTC: $60,074.00');
    const heads = within(await table());
    const press = async () => userEvent.click(heads.getByRole('button', { name: /^Value/ }));
    const state = () => heads.getByRole('columnheader', { name: /^Value/ }).getAttribute('aria-sort');
    const sorts = () => screen.getByLabelText<HTMLSelectElement>('Sort').value;
    expect([state(), sorts(), await column(2)]).toEqual(['none', '', ['$60,000.00', '$60,037.00', '$60,074.00']]);
    await press();
    await waitFor(() => expect([state(), sorts()]).toEqual(['ascending', 'value-asc']));
    await press();
    await waitFor(() => expect([state(), sorts()]).toEqual(['descending', 'value-desc']));
    expect(await column(2)).toEqual(['$60,074.00', '$60,037.00', '$60,000.00']);
    expect(address()).toBe('/app/history?sort=value-desc');
    await press();
    await waitFor(() => expect([state(), address()]).toEqual(['none', '/app/history']));
    await choose('Sort', 'Oldest first');
    await waitFor(() =>
      expect(heads.getByRole('columnheader', { name: /^Time/ }).getAttribute('aria-sort')).toBe('ascending'),
    );
  });

  test('a demo generating its history shows its progress', async () => {
    open({ calls: { '/api/predictions': () => Response.json({ ...noPredictions, preparing: 40 }) } });
    expect(await screen.findByText('Preparing demo history: 40%', {}, LATE)).toBeDefined();
  });

  test('an empty result, and a failure with Retry, leave the data visible', async () => {
    let fails = true;
    open({ calls: { '/api/predictions': () => (fails ? broken() : Response.json(noPredictions)) } });
    const alert = await screen.findByText('Failed to load the predictions', {}, LATE);
    await table();
    fails = false;
    await userEvent.click(within(alert.closest('[role=alert]') as HTMLElement).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No analysis data available')).toBeDefined();
  });
});

describe('stored values', () => {
  test('each row: time, symbol, value, change, % change, source with its age', async () => {
    open({ calls: { [PRICES]: answer(replyOf([recordOf(2, { change: -5.5, change_percent: -0.25 })])) } });
    const [, row] = within(await table()).getAllByRole('row');
    expect(texts([...(row?.querySelectorAll('td') ?? [])])).toEqual([
      '20 Nov 2026, 10:00',
      'BTC',
      '$60,074.00',
      '−$5.50',
      '−0.25%',
      expect.stringMatching(/^OKX, (\d+h ago|\d+d ago|just now) · measured$/),
    ]);
  });

  test('all 11 types are selectable; the choice is in the URL and clears the symbol', async () => {
    const other = answer(replyOf([recordOf(0, { symbol: 'VIX', unit: 'points', value: 17.5 })], { symbols: ['VIX'] }));
    open({ at: '/app/history?symbol=BTC', calls: { '/api/history/VOLATILITY_INDEX': other } });
    const types = within(await screen.findByLabelText('Data type', {}, LATE)).getAllByRole('option');
    expect(types).toHaveLength(HISTORY_TYPES.length);
    await choose('Data type', 'Volatility index');
    await waitFor(async () => expect(await column(1)).toEqual(['VIX']));
    expect(address()).toBe('/app/history?type=VOLATILITY_INDEX');
  });

  test('symbol, range and days are sent to the server and stored in the URL', async () => {
    const { fetch } = open();
    await table();
    await choose('Symbol', 'ETH');
    await choose('Range', 'Last 7 days');
    await waitFor(() => expect(address()).toBe('/app/history?symbol=ETH&range=7d'));
    await waitFor(() =>
      expect(asked(fetch)).toContainEqual(
        expect.stringMatching(/symbol=ETH&from=2026-11-\d\dT00%3A00%3A00\.000Z&limit=100$/),
      ),
    );
    await choose('Range', 'Custom range');
    const from = await screen.findByLabelText('From');
    await userEvent.type(from, '2026-02-03');
    await waitFor(() => expect(address()).toContain('range=custom&from=2026-02-03'));
  });

  test('older values load by cursor, and a long list renders only the visible rows', async () => {
    const calls: Record<string, Answer> = {
      [PRICES]: (url) =>
        Response.json(
          url.includes('cursor=abc')
            ? replyOf(many(100, 400))
            : replyOf(many(0, 100), { nextCursor: url.includes('symbol=') ? null : 'abc' }),
        ),
    };
    open({ calls });
    await table();
    expect(screen.getByText('100 values loaded, more available')).toBeDefined();
    await press('Load more');
    expect(await screen.findByText('400 values loaded')).toBeDefined();
    const grid = within(await table()).getByRole('table');
    expect(grid.getAttribute('aria-rowcount')).toBe('401');
    expect(within(grid).getAllByRole('row').length).toBeLessThan(80);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });
});

test('empty, with the server’s reason', async () => {
  open({ calls: { [PRICES]: answer(replyOf([], { reason: 'No data stored for this range' })) } });
  expect(await screen.findByText('No historical data', {}, LATE)).toBeDefined();
  expect(screen.getByText('No data stored for this range')).toBeDefined();
});

describe('access by plan', () => {
  test.each(['anonymous', 'free'] as const)('%s: 30 days, longer ranges locked, export disabled', async (as) => {
    open({ as });
    await table();
    expect(screen.getByText(/Your plan shows the last 30 days/)).toBeDefined();
    for (const link of screen.getAllByRole('link', { name: 'Upgrade to Pro' }))
      expect(link.getAttribute('href')).toBe('/app/subscription');
    const ranges = within(screen.getByLabelText('Range')).getAllByRole<HTMLOptionElement>('option');
    expect(texts(ranges.filter(({ disabled }) => disabled))).toEqual([
      'Last 90 days (Pro)',
      'Last year (Pro)',
      'All time (Pro)',
    ]);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Export' });
    expect(button.disabled).toBe(true);
    expect(button.parentElement?.title).toBe('Export requires Pro+ subscription');
  });

  test('Pro: everything, and four file formats; a failed one explains why', async () => {
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
    const { fetch } = open({
      as: 'pro',
      calls: { [`${PRICES}/file`]: (...of) => (of[0].includes('csv') ? new Response('a,b') : broken()) },
    });
    await table();
    expect(screen.queryByText(/Your plan shows/)).toBeNull();
    await press('Export');
    const kinds = ['CSV', 'JSON', 'Excel', 'Printable report'];
    for (const name of kinds) expect(screen.getByText(name)).toBeDefined();
    await userEvent.click(screen.getByText('CSV'));
    expect(await screen.findByText('Crypto prices exported as CSV')).toBeDefined();
    expect(asked(fetch)).toContainEqual(expect.stringMatching(/\/file\?format=csv&from=/));
    expect(clicked).toHaveBeenCalledOnce();
    await press('Export');
    await userEvent.click(screen.getByText('JSON'));
    expect(await screen.findByText('Export failed: Something went wrong on our side')).toBeDefined();
  });
});
