import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { candlesOf, candlesWithGap } from '#features/analytics/web/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { address, LATE, press, texts } from '../testing/acts.ts';
import { ANALYTICS, openAnalytics } from '../testing/analytics.ts';

const card = async (name: string) => within(await screen.findByRole('region', { name }, LATE));
const chosen = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).value;
const asked = (fetch: ReturnType<typeof openAnalytics>['fetch'], path: string) =>
  fetch.mock.calls.map(([url]) => url).filter((url) => url.split('?')[0] === path);

describe('filters', () => {
  test('default to BTC, 60 minutes and candlesticks; every option is offered and stored in the URL', async () => {
    openAnalytics();
    await screen.findByRole('table', { name: /^Bitcoin, the last 10 bars of 1 hour/ }, LATE);
    expect([chosen('Asset'), chosen('Timeframe'), chosen('Chart type')]).toEqual(['BTC', '60', 'candlestick']);
    const choices = (label: string) => texts(within(screen.getByLabelText(label)).getAllByRole('option'));
    expect(choices('Asset')).toEqual(['BTC Bitcoin', 'ETH Ethereum', 'SOL Solana', 'SUI Sui', 'XRP Ripple']);
    expect(choices('Timeframe')).toHaveLength(9);
    expect(choices('Chart type')).toEqual(['Candlestick', 'Bar', 'Line', 'Area']);
    await userEvent.selectOptions(screen.getByLabelText('Asset'), 'ETH');
    await userEvent.selectOptions(screen.getByLabelText('Timeframe'), 'D');
    await userEvent.selectOptions(screen.getByLabelText('Chart type'), 'area');
    await userEvent.click(screen.getByLabelText('Events'));
    expect(address()).toBe('/app/advanced-analytics?asset=ETH&timeframe=D&type=area&events=off');
    expect(await screen.findByRole('table', { name: /^Ethereum, the last 10 bars of 1 day/ }, LATE)).toBeDefined();
  });

  test('a URL restores its chart; days reach back five years', async () => {
    const { fetch } = openAnalytics({}, 'premium', '?asset=SOL&timeframe=D&type=line&compare=BTC');
    await screen.findByRole('table', { name: /^Solana, the last 10 bars of 1 day/ }, LATE);
    const since = 'interval=D&from=2021-11-21T06%3A00%3A00.000Z';
    await waitFor(() =>
      expect(new Set(asked(fetch, '/api/candles'))).toEqual(
        new Set([`/api/candles?symbol=SOL&${since}`, `/api/candles?symbol=BTC&${since}`]),
      ),
    );
    expect(chosen('Compare with')).toBe('BTC');
  });

  test('changing timeframe or asset refetches everything', async () => {
    const { fetch } = openAnalytics();
    await card('Derivatives');
    const paths = ['/api/dashboard', '/api/backtest', '/api/market-sentiment', '/api/derivatives', '/api/onchain'];
    paths.push('/api/correlation', '/api/advanced-metrics', '/api/analytics/summary', '/api/analytics/risk');
    await waitFor(() => expect(paths.map((path) => asked(fetch, path).length)).not.toContain(0));
    const before = paths.map((path) => asked(fetch, path).length);
    await userEvent.selectOptions(screen.getByLabelText('Asset'), 'XRP');
    await waitFor(() =>
      expect(paths.map((path, i) => asked(fetch, path).length > (before[i] ?? 0))).not.toContain(false),
    );
  });
});

describe('chart', () => {
  test('loading, then failed with Retry, while the rest of the page remains', async () => {
    let down = true;
    openAnalytics({ '/api/candles': (...args) => (down ? broken() : (ANALYTICS['/api/candles'] as Answer)(...args)) });
    const alert = await screen.findByText('Failed to load the chart', {}, LATE);
    expect(alert).toBeDefined();
    expect((await screen.findAllByText('$43.10B', {}, LATE)).length).toBeGreaterThan(0);
    down = false;
    await press('Retry');
    expect(await screen.findByRole('table', { name: /^Bitcoin/ }, LATE)).toBeDefined();
  });

  test('reports loading history, with and without bars', async () => {
    openAnalytics({ '/api/candles': answer({ ...candlesOf('60'), candles: [], history: 'loading', meta: null }) });
    expect(await screen.findByText('History loading', {}, LATE)).toBeDefined();
  });

  test('shows OHLC, volume and change of the last bar; source, age, gaps, limit, events', async () => {
    openAnalytics({ '/api/candles': answer({ ...candlesWithGap(), limitedToDays: 90, history: 'loading' }) });
    const values = await screen.findByLabelText('Values of the bar', {}, LATE);
    expect(values.textContent).toMatch(/BTC · 21 Nov 2026, 12:00O[\d,.]+H[\d,.]+L[\d,.]+C[\d,.]+Change[^V]*%Vol1\.0B/);
    const chart = await card('Price Chart');
    expect(chart.getByText(/Updated 12s ago · OKX/)).toBeDefined();
    chart.getByText(/History loading: older bars are still arriving\. These bars are kept for 90 days\./);
    expect(chart.getByText(/1 gap without trades, left empty\./)).toBeDefined();
  });

  test('the last ten bars are readable, and the external chart uses the same symbol and interval', async () => {
    openAnalytics({}, 'premium', '?asset=ETH&timeframe=240');
    const table = await screen.findByRole('table', { name: /^Ethereum, the last 10 bars of 4 hours, newest/ }, LATE);
    expect(within(table).getAllByRole('row')).toHaveLength(11);
    const link = screen.getByRole('link', { name: /TradingView/ });
    expect(link.getAttribute('href')).toContain('symbol=COINBASE%3AETHUSD&interval=240');
    expect(link.getAttribute('rel')).toContain('noopener');
  });

  test('Refresh Chart refetches the bars', async () => {
    const { fetch } = openAnalytics();
    await screen.findByRole('table', { name: /^Bitcoin/ }, LATE);
    const before = asked(fetch, '/api/candles').length;
    await press('Refresh Chart');
    await waitFor(() => expect(asked(fetch, '/api/candles').length).toBeGreaterThan(before));
  });

  test('a failing second asset is reported in place, with Retry', async () => {
    openAnalytics(
      { '/api/candles': (url) => (url.includes('symbol=SOL') ? broken() : (ANALYTICS['/api/candles'] as Answer)(url)) },
      'premium',
      '?compare=SOL',
    );
    expect(await screen.findByText(/Solana could not be loaded for comparison\./, {}, LATE)).toBeDefined();
    expect(screen.getByRole('table', { name: /^Bitcoin/ })).toBeDefined();
  });
});

describe('Export Report', () => {
  test.each(['PDF report', 'CSV', 'JSON'])('%s: requests and saves the file as displayed', async (name) => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    URL.createObjectURL = vi.fn(() => 'blob:report');
    URL.revokeObjectURL = vi.fn();
    const file = () => new Response('x', { headers: { 'content-disposition': 'attachment; filename="report.x"' } });
    const { sent } = openAnalytics({ '/api/analytics/export': file }, 'premium', '?asset=SUI&timeframe=W&type=bar');
    await userEvent.click(await screen.findByRole('button', { name: 'Export Report' }, LATE));
    await userEvent.click(await screen.findByRole('menuitem', { name }));
    await waitFor(() => expect(click).toHaveBeenCalled());
    const format = name.split(' ')[0]?.toLowerCase();
    expect(sent('/api/analytics/export', 'POST')).toEqual([{ timeframe: 'W', asset: 'SUI', chartType: 'bar', format }]);
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('report.x');
  });

  test('only logs a failure and re-enables the button', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    openAnalytics({ '/api/analytics/export': broken });
    await userEvent.click(await screen.findByRole('button', { name: 'Export Report' }, LATE));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }));
    await waitFor(() => expect(warn).toHaveBeenCalled());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export Report' }).disabled).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
