import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { analysisOf, recordOf } from '#features/analysis/web/analysis/fixtures.ts';
import { frame, meta, NOON, source, top, totals } from '#features/market/web/market/fixtures.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';

import { FakeEventSource } from '../fake-event-source.ts';
import { address, LATE, texts } from '../testing/acts.ts';
import { freezeTime, openApp, payload, wholePayload } from '../testing/open-app.tsx';

const failing = () => Response.json({ error: 'Something went wrong on our side', code: 'internal' }, { status: 500 });
const card = () => screen.findByRole('region', { name: 'Crypto Prices' });
const assets = (region: HTMLElement) =>
  within(region)
    .queryAllByRole('rowheader')
    .map((cell) => within(cell).getAllByRole('button')[1]?.textContent);

const row = async () => (await screen.findAllByRole('row', { name: /BTC/ }))[0]?.textContent ?? '';

describe('Market Dashboard, states', () => {
  test('loading: the frame shows a skeleton', async () => {
    openApp({ calls: { '/api/dashboard': () => new Promise<Response>(() => {}) } });
    expect(screen.getByRole('heading', { level: 1, name: 'Market Dashboard' })).toBeDefined();
    expect(within(await card()).getByText('Loading prices')).toBeDefined();
  });

  test('error: the message, the server’s details below it, and Retry loads the data', async () => {
    let broken = true;
    openApp({ calls: { '/api/dashboard': () => (broken ? failing() : Response.json(payload())) } });
    const alert = await within(await card()).findByRole('alert');
    expect(alert.textContent).toContain('Error: Failed to fetch dashboard data');
    expect(alert.textContent).toContain('Something went wrong on our side');
    broken = false;
    await userEvent.click(within(await card()).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('rowheader', { name: /BTC/ })).toBeDefined();
  });

  test('loaded: the tracked five in order, totals, the note on extra coins, age and source; a newer tick updates price, change and age in place; an older one does not; live changes are not announced', async () => {
    openApp();
    await screen.findByRole('rowheader', { name: /BTC/ });
    const region = await card();
    expect(assets(region)).toEqual(['BTCBitcoin', 'ETHEthereum', 'SOLSolana', 'SUISui', 'XRPXRP']);
    for (const sum of ['Total market cap. $3.42T', '24h volume. $148.60B'])
      expect(within(region).getByRole('button', { name: `Where it comes from: ${sum}` })).toBeDefined();
    expect(region.textContent).toContain('+3 more coins');
    expect(region.textContent).toContain('Updated 12s ago · CoinGecko');
    expect(within(region).getByRole('row', { name: /BTC/ }).textContent).toContain('97,412.50');
    act(() => ticks.push(frame(['bitcoin', 98_000, -1.5, null, 0, NOON - 1000])));
    expect(await row()).toContain('98,000.00');
    expect(await row()).toContain('\u22121.50%');
    expect((await card()).textContent).toContain('Updated 1s ago · binance');
    act(() => ticks.push(frame(['bitcoin', 1, 0, null, 0, NOON - 60_000])));
    expect(await row()).toContain('98,000.00');
    expect((await card()).querySelector('[aria-live]')).toBeNull();
    const strip = within(screen.getByRole('list', { name: 'Market pulse' }));
    expect(strip.getAllByRole('listitem')).toHaveLength(10);
  });

  test('a later read fails: the data remains, and the page reports it', async () => {
    let broken = false;
    const { queries } = openApp({ calls: { '/api/dashboard': () => (broken ? failing() : Response.json(payload())) } });
    await screen.findByRole('rowheader', { name: /BTC/ });
    broken = true;
    await act(() => queries.refetchQueries({ queryKey: ['dashboard'] }));
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load dashboard data');
    expect(screen.getByRole('rowheader', { name: /BTC/ })).toBeDefined();
  });

  test('empty', async () => {
    const none = payload({ cryptoPrices: [], totals: { ...totals, coins: 0, market_cap: null, volume_24h: null } });
    openApp({ calls: { '/api/dashboard': () => Response.json(none) } });
    expect(await screen.findByText('No crypto price data available')).toBeDefined();
  });

  test('demo: labeled on the page and beside the source; a failing source is named in card and sidebar; computed market caps are explained', async () => {
    const sources = [source('coingecko', 'CoinGecko', 'rate_limited'), source('coinpaprika', 'CoinPaprika')];
    const listing = meta({ source: 'coinpaprika', method: 'computed' });
    const cryptoPrices = top.map((row) => ({ ...row, meta: meta({ method: 'demo' }), listing }));
    openApp({ calls: { '/api/dashboard': () => Response.json(payload({ dataMode: 'demo', cryptoPrices, sources })) } });
    expect(await screen.findByRole('button', { name: /Demo data/ })).toBeDefined();
    expect(await screen.findByText('CoinPaprika is responding: CoinGecko is rate-limited')).toBeDefined();
    expect((await card()).textContent).toContain('CoinGecko (demo)');
    expect(screen.getByRole('navigation', { name: 'Main' }).textContent).toContain('CoinGecko is rate-limited');
    expect(screen.getByText('Dotted values are computed: price × supply.')).toBeDefined();
  });

  test('stale: the card and its rows show it once the data is older than its contract', async () => {
    freezeTime(NOON + 14 * 60_000);
    openApp();
    const bitcoin = await screen.findByRole('rowheader', { name: /BTC/ });
    expect(bitcoin.textContent).toContain('Stale');
    expect((await card()).textContent).toContain('Stale, 14m ago · CoinGecko');
  });
});

describe('seed data', () => {
  test('is shown immediately and the rest is read afterwards', async () => {
    const seed = { version: '9.9.9', dashboard: payload({ cryptoPrices: top }), sparklines: null };
    const { fetch } = openApp({ seed });
    expect(screen.getByRole('rowheader', { name: /BTC/ })).toBeDefined();
    expect(screen.getByText(/v9\.9\.9/)).toBeDefined();
    await screen.findByRole('button', { name: 'Show all 8' });
    expect(fetch.mock.calls.map(([url]) => url)).toContain('/api/dashboard');
  });

  test('without a seed, shows a spinner until the first response', async () => {
    openApp({ seed: null });
    expect(screen.getByText('Loading')).toBeDefined();
    expect(screen.queryByRole('main')).toBeNull();
    expect(await screen.findByRole('main')).toBeDefined();
  });
});

describe('cards below the prices', () => {
  test('appear in the order of the specification, each with its own request', async () => {
    const { fetch } = openApp();
    await screen.findByRole('button', { name: 'Bitcoin Store of value' });
    await screen.findByText('Stablecoin supply ratio');
    await screen.findByRole('button', { name: /^DePIN/ });
    const titles = texts(screen.getAllByRole('heading', { level: 2 }));
    const cards = ['Crypto Prices', 'Trending Narratives', 'Advanced Metrics', 'Layer 1 Blockchains'];
    expect(titles.filter((title) => cards.includes(title ?? ''))).toEqual(cards);
    const asked = fetch.mock.calls.map(([url]) => url);
    for (const path of ['/api/trending-narratives', '/api/advanced-metrics', '/api/layer1-data'])
      expect(asked).toContain(path);
  });

  test('fail independently of each other', async () => {
    openApp({ calls: { '/api/advanced-metrics': failing } });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load advanced metrics');
    expect(await screen.findByRole('button', { name: 'Bitcoin Store of value' })).toBeDefined();
  });
});

describe('card above the prices', () => {
  const analysis = () => screen.findByRole('region', { name: 'AI Market Analysis' });

  test('is loading while the page shows its seed, and empty once the server responds without one', async () => {
    const seed = { version: '1.0.0', dashboard: payload({ cryptoPrices: top }), sparklines: null };
    const { promise, resolve } = Promise.withResolvers<Response>();
    openApp({ seed, calls: { '/api/dashboard': () => promise } });
    expect(within(await analysis()).getByText('Loading AI Market Analysis')).toBeDefined();
    resolve(Response.json(payload()));
    // The card replaces its placeholder.
    await waitFor(async () => within(await analysis()).getByText('No analysis data available'));
  });

  test('error: the message in place, and Retry loads the analysis', async () => {
    let broken = true;
    const answer = () => Response.json(payload({ aiAnalysis: analysisOf(NOON), backtestResults: recordOf(NOON) }));
    openApp({ calls: { '/api/dashboard': () => (broken ? failing() : answer()) } });
    const alert = await waitFor(async () => within(await analysis()).getByRole('alert'));
    expect(alert.textContent).toContain('Error: Failed to fetch dashboard data');
    broken = false;
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { level: 3, name: 'Venice' })).toBeDefined();
    const titles = texts(screen.getAllByRole('heading', { level: 2 }));
    expect(titles.indexOf('AI Market Analysis')).toBeLessThan(titles.indexOf('Crypto Prices'));
  });

  test.each(['anonymous', 'premium'] as const)('%s sees no Data Collection panel', async (as) => {
    openApp({ as });
    await screen.findByRole('rowheader', { name: /BTC/ });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Data Collection' })).toBeNull());
  });

  test('an admin sees the Data Collection panel first; the stream reports collection progress and a new record', async () => {
    const ticket = () =>
      Response.json({ ticket: 't', expiresAt: '2026-11-21T12:00:30.000Z', topics: ['account', 'alerts'] });
    const { fetch } = openApp({ as: 'admin', calls: { '/api/stream/ticket': ticket } });
    await userEvent.click(await screen.findByRole('button', { name: 'Data Collection' }));
    const titles = texts(screen.getAllByRole('heading', { level: 2 }));
    expect(titles.indexOf('Data Collection')).toBeLessThan(titles.indexOf('AI Market Analysis'));
    const asked = () => fetch.mock.calls.filter(([url]) => url === '/api/dashboard').length;
    const before = asked();
    const stream = FakeEventSource.newest;
    act(() => stream.say('collection', { at: NOON, step: 'market', state: 'running', note: null }));
    expect(await screen.findByText('Running')).toBeDefined();
    act(() => stream.say('record', { at: NOON }));
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });
});

describe('pulse strip', () => {
  const strip = () => screen.getByRole('list', { name: 'Market pulse' });

  test('adds dominance, mood and supply ratio, each with its source', async () => {
    openApp({ calls: { '/api/dashboard': () => Response.json(wholePayload()) } });
    const ratio = await within(strip()).findByRole('button', { name: /^Where it comes from: Stablecoin supply ratio/ });
    expect(ratio.textContent).toContain('5.82');
    for (const words of ['BTC dom.', '56.3%', '71', 'Greed', 'Neutral']) expect(strip().textContent).toContain(words);
    expect(within(strip()).getAllByRole('listitem')).toHaveLength(10);
  });

  test.each([
    ['the server has none', () => Response.json(payload())],
    ['the read fails', failing],
  ])('stops waiting for them when %s', async (_, answer) => {
    openApp({
      seed: { version: '1.0.0', dashboard: payload(), sparklines: null },
      calls: { '/api/dashboard': answer },
    });
    await screen.findByRole('rowheader', { name: /BTC/ });
    const waiting = () => strip().querySelectorAll('.skel').length;
    await waitFor(() => expect(waiting()).toBe(0));
    expect(within(strip()).getAllByRole('listitem').at(-1)?.textContent).toContain('–');
  });
});

test('the URL stores the coin and its chart range', async () => {
  const candles = { range: '7d', interval: '1h', history: 'complete', candles: [], meta: null };
  const { fetch } = openApp({
    at: '/app?coin=bitcoin&range=7d',
    calls: { '/api/coins/bitcoin/candles': () => Response.json(candles) },
  });
  const month = await screen.findByRole('radio', { name: '30d' }, LATE);
  expect(screen.getByRole('radio', { name: '7d', checked: true })).toBeDefined();
  await userEvent.click(month);
  await waitFor(() => expect(address()).toBe('/app?coin=bitcoin&range=30d'));
  const asked = new Set(fetch.mock.calls.map(([url]) => url).filter((url) => url.includes('/candles')));
  expect([...asked]).toEqual(['/api/coins/bitcoin/candles?range=7d', '/api/coins/bitcoin/candles?range=30d']);
});
