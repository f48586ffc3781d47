import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { FigurePage, FigureSource } from '#features/site/contract/figures.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { answer, broken, refuse } from '#ui/testing/answers.ts';
import { missing, NOON, origin } from '#ui/testing/figures.ts';
import { LATE } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';

const DAY_MS = 86_400_000;
const day = (back: number) => new Date(NOON - back * DAY_MS).toISOString();

const sourceOf = (source: string, value: number, difference: number | null, isShown = false): FigureSource => ({
  source,
  value,
  difference,
  isShown,
  meta: origin('market.cap', { source }),
});

const metaOf = (value: FigureMeta, change_24h: FigureMeta = origin('market.cap')) => ({ value, change_24h });

const pageOf = (change: Partial<FigurePage> = {}): FigurePage => ({
  timestamp: day(0),
  metric: 'market.cap',
  name: 'Total market cap',
  unit: 'USD',
  value: 2_637_000_000_000,
  change_24h: 2.18,
  meta: metaOf(origin('market.cap', { source: 'CoinGecko' })),
  meaning: 'What all coins together are worth.',
  formula: 'Sum of price × circulating supply over all coins',
  note: null,
  comparison: 'percent',
  sources: [sourceOf('CoinGecko', 2_637_000_000_000, 0, true), sourceOf('Meridian', 2_634_363_000_000, -0.1)],
  history: {
    state: 'complete',
    source: 'CoinGecko',
    days: 30,
    points: [9, 8, 2, 1].map((back) => ({ at: day(back), value: 2e12 + back })),
    series: { type: 'TOTAL_MARKET_CAP', symbol: 'TOTAL' },
  },
  ...change,
});

const open = (page: FigurePage) =>
  openApp({ at: `/app/figures/${page.metric}`, calls: { [`/api/figures/${page.metric}`]: answer(page) } });

const text = async (name: string) =>
  (await screen.findByRole('region', { name }, LATE)).textContent?.replaceAll(/\s+/g, ' ');

describe('figure page', () => {
  test('shows value, change, source, meaning, history and source comparison', async () => {
    open(pageOf());
    const sources = await text('How Sources Compare');
    expect(screen.getByRole('heading', { level: 1, name: 'Total market cap' })).toBeDefined();
    expect(document.title).toBe('Total market cap · Meridian');
    const main = document.getElementById('main')?.textContent ?? '';
    for (const words of ['$2.64T', '+2.18%', 'Updated 3m ago · CoinGecko']) expect(main).toContain(words);
    expect(await text('Where It Comes From')).toContain('MethodMeasured: as reported by the source');
    expect(await text('What It Means')).toContain('Formula: Sum of price');
    expect(sources).toContain('Sources that are up to date differ by up to 0.100%.');
    expect(sources).toContain('Meridian $2.63T−0.100%3m ago');
    const chart = await screen.findByRole('slider', { name: 'Total market cap over time' });
    expect(chart.getAttribute('aria-valuetext')).toBe('20 Nov 2026: $2.00T');
    // Days without a value are a gap.
    expect(chart.querySelectorAll('polyline')).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'All stored values' }).getAttribute('href')).toBe(
      '/app/history?type=TOTAL_MARKET_CAP&symbol=TOTAL',
    );
    expect(screen.getByRole('link', { name: 'Preview image' }).getAttribute('href')).toBe(
      '/app/figures/market.cap/card.png',
    );
  });

  test('copies its URL', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    open(pageOf());
    await userEvent.click(await screen.findByRole('button', { name: 'Copy link to Total market cap' }, LATE));
    expect(write).toHaveBeenCalledWith(`${location.origin}/app/figures/market.cap`);
  });

  test('a figure computed on read has no stored history', async () => {
    const { history } = pageOf();
    open(pageOf({ history: { ...history, state: 'not_stored', days: null, points: [], series: null } }));
    expect(await screen.findByText('No history is stored', {}, LATE)).toBeDefined();
    expect(screen.getByRole('heading', { name: 'History' })).toBeDefined();
  });

  test('labels a stale value', async () => {
    open(pageOf({ meta: metaOf(origin('market.cap', { observedMs: NOON - 3 * 3_600_000 })) }));
    expect(await screen.findByText(/^Stale, 3h ago/, {}, LATE)).toBeDefined();
  });

  test('explains a missing value and shows no source', async () => {
    const metric = 'addresses.btc.new';
    const meta = metaOf(missing(metric, 'No free source counts new addresses'), missing(metric, 'Not computed'));
    const history: FigurePage['history'] = { state: 'complete', source: null, days: 30, points: [], series: null };
    open(pageOf({ metric, value: null, change_24h: null, meta, sources: [], history }));
    expect(await screen.findByText('No free source counts new addresses', {}, LATE)).toBeDefined();
    expect(screen.getByText('Not available')).toBeDefined();
    expect(await text('Last 30 Days')).toContain('No history yet');
    for (const name of ['Where It Comes From', 'How Sources Compare'])
      expect(screen.queryByRole('region', { name })).toBeNull();
  });

  test.each([
    ['loading', 'History is being collected'],
    ['unavailable', 'No history available'],
  ] as const)('the history of a coin is %s', async (state, words) => {
    open(pageOf({ history: { ...pageOf().history, state, points: [] } }));
    expect(await text('Last 30 Days')).toContain(words);
  });

  test.each<[string, Partial<FigurePage>, string]>([
    ['one', { sources: [sourceOf('CoinGecko', 1, 0, true)] }, 'Single source: CoinGecko. There is no second value'],
    [
      'one source up to date',
      { sources: [sourceOf('CoinGecko', 1, 0, true), sourceOf('CoinPaprika', 2, null)] },
      'Only one source is up to date',
    ],
    [
      'a value of ours',
      {
        sources: [sourceOf('Meridian', 1, 0, true)],
        meta: metaOf(origin('ssr', { source: 'Meridian', venues: ['DefiLlama', 'CoinGecko'] })),
      },
      'Single source: computed by Meridian from DefiLlama, CoinGecko.',
    ],
    [
      'a sum',
      { metric: 'oi.total', comparison: 'share', sources: [sourceOf('OKX', 1e9, 100)] },
      'The figure is the sum over 1 venue. The share is what each adds.SourceValueShareAgeOKX $1.00B100.0%',
    ],
    [
      'a mean',
      {
        metric: 'funding.btc',
        unit: 'percent per 8h',
        comparison: 'points',
        sources: [sourceOf('OKX', 0.02, 0.0012), sourceOf('Bybit', 0.01, -0.0008)],
      },
      'differ by up to 0.0020 pts. The figure is their mean, weighted by open interest.',
    ],
  ])('source comparison: %s', async (_, change, words) => {
    open(pageOf(change));
    expect(await text('How Sources Compare')).toContain(words);
  });
});

test('offers a retry when a figure cannot be read', async () => {
  let reply = broken;
  openApp({ at: '/app/figures/market.cap', calls: { '/api/figures/market.cap': () => reply() } });
  const alert = await screen.findByRole('alert', {}, LATE);
  expect(alert.textContent).toContain('Failed to load this figure');
  reply = answer(pageOf());
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'How Sources Compare' }, LATE)).toBeDefined();
});

test.each([404, 400])('an unknown figure (%d) shows the not-found page', async (status) => {
  const unknown = refuse(status, 'Unknown figure', 'not_found');
  const { fetch } = openApp({ at: '/app/figures/nothing', calls: { '/api/figures/nothing': unknown } });
  expect(await screen.findByRole('heading', { name: 'Page not found' }, LATE)).toBeDefined();
  expect(fetch.mock.calls.filter(([url]) => url.includes('/figures/'))).toHaveLength(1);
});
