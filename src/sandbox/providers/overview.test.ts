import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { flowsOf } from '#sandbox/market/flows.ts';
import { DAY, floorTo } from '#sandbox/market/time.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, now: NOW });
});
afterEach(() => sandbox.clock.set(NOW));
afterAll(() => sandbox.close());

async function get<T>(name: string, path: string, status = 200): Promise<T> {
  const response = await fetch(`${sandbox.urls[name]}${path}`);
  expect(response.status).toBe(status);
  return (await response.json()) as T;
}

describe('CoinGecko', () => {
  test('orders categories as asked, each with three coins that its own list confirms', async () => {
    type Row = { id: string; market_cap_change_24h: number; top_3_coins_id: string[] };
    const rows = await get<Row[]>('COINGECKO_BASE_URL', '/coins/categories?order=market_cap_change_24h_desc');
    const changes = rows.map((row) => row.market_cap_change_24h);
    expect(changes).toEqual(changes.toSorted((a, b) => b - a));
    const path = `/coins/markets?vs_currency=usd&category=${rows[0]?.id}&per_page=5`;
    const coins = await get<{ id: string }[]>('COINGECKO_BASE_URL', path);
    expect(coins.slice(0, 3).map(({ id }) => id)).toEqual(rows[0]?.top_3_coins_id);
    await get('COINGECKO_BASE_URL', '/coins/categories?order=best', 422);
  });
});

describe('alternative.me', () => {
  type Index = { name: string; data: Record<string, string>[]; metadata: { error: null } };
  const index = (query = '') => get<Index>('ALTERNATIVE_ME_BASE_URL', `/fng/?format=json${query}`);

  test('gives texts, newest first, the time to the next one on the newest alone', async () => {
    const { data } = await index('&limit=30');
    expect(data).toHaveLength(30);
    expect(data[0]).toEqual({
      value: expect.stringMatching(/^\d{1,3}$/),
      value_classification: expect.any(String),
      timestamp: String(floorTo(NOW, DAY) / 1000),
      time_until_update: String((floorTo(NOW, DAY) + DAY - (NOW - 0)) / 1000),
    });
    expect(data.slice(1).every((row) => !('time_until_update' in row))).toBe(true);
    expect(Number(data[0]?.['timestamp']) - Number(data[1]?.['timestamp'])).toBe(86_400);
  });

  test('reaches every class in five years', async () => {
    const { data } = await index('&limit=1825');
    expect(new Set(data.map((row) => row['value_classification'])).size).toBe(5);
  });
});

describe('DefiLlama', () => {
  type Held = { peggedUSD?: number; peggedEUR?: number };
  type Asset = { symbol: string; pegType: string; price?: number; circulating: Held; circulatingPrevDay: Held };

  test('stablecoins agree with the last points of their chart, whose dates are texts', async () => {
    const path = '/stablecoins?includePrices=true';
    const { peggedAssets } = await get<{ peggedAssets: Asset[] }>('STABLECOINS_LLAMA_BASE_URL', path);
    const chart = await get<{ date: string; totalCirculating: Held }[]>(
      'STABLECOINS_LLAMA_BASE_URL',
      '/stablecoincharts/all',
    );
    const sum = peggedAssets.reduce((total, { circulating }) => total + (circulating.peggedUSD ?? 0), 0);
    expect(peggedAssets[0]).toMatchObject({ symbol: 'USDT', pegType: 'peggedUSD', price: expect.closeTo(1, 1) });
    expect(peggedAssets.some(({ pegType }) => pegType === 'peggedEUR')).toBe(true);
    expect(chart.at(-1)?.date).toBe(String(floorTo(NOW, DAY) / 1000));
    expect((chart.at(-1)?.totalCirculating.peggedUSD ?? 0) / sum).toBeCloseTo(1, 2);
    expect(sum).toBeGreaterThan(2e11);
    expect(sum).toBeLessThan(4e11);
  });

  test.each(['binance-cex', 'okx', 'okex', 'bitfinex', 'kraken', 'kraken-cex', 'bybit'])(
    '%s holds coins day by day, and their worth',
    async (slug) => {
      type Rows = { date: number; tokens: Record<string, number> }[];
      const { tokens, tokensInUsd } = await get<{ tokens: Rows; tokensInUsd: Rows }>(
        'LLAMA_BASE_URL',
        `/protocol/${slug}`,
      );
      expect(tokens.length).toBeGreaterThan(5 * 365);
      expect(tokens.map(({ date }) => date)).toEqual(tokensInUsd.map(({ date }) => date));
      expect(tokens.at(-2)?.date).toBe(floorTo(NOW, DAY) / 1000);
      const [coins, worth] = [tokens.at(-2)?.tokens['BTC'] ?? 0, tokensInUsd.at(-2)?.tokens['BTC'] ?? 0];
      expect(worth / coins).toBeCloseTo(sandbox.market.priceAt('bitcoin', floorTo(NOW, DAY)), 4);
    },
  );
});

describe('Coin Metrics', () => {
  type Page = { data: Record<string, string>[]; next_page_url?: string; error?: { type: string } };
  const METRICS = 'FlowInExUSD,FlowOutExUSD,FlowInExNtv,FlowOutExNtv';

  async function get(query: string, status = 200): Promise<Page> {
    const path = query.startsWith('http') ? query : `/v4/timeseries/asset-metrics?${query}`;
    const url = path.startsWith('http') ? path : `${sandbox.urls['COINMETRICS_BASE_URL']}${path}`;
    const response = await fetch(url);
    expect(response.status).toBe(status);
    return (await response.json()) as Page;
  }

  test('gives texts by asset and time, up to yesterday', async () => {
    const { data, next_page_url } = await get(
      `assets=btc,eth&metrics=${METRICS}&frequency=1d&start_time=2026-11-11&page_size=100`,
    );
    expect(data.map(({ asset }) => asset)).toEqual([
      ...Array<string>(10).fill('btc'),
      ...Array<string>(10).fill('eth'),
    ]);
    expect(next_page_url).toBeUndefined();
    expect(data[9]).toEqual({
      asset: 'btc',
      time: '2026-11-20T00:00:00.000000000Z',
      FlowInExUSD: expect.stringMatching(/^\d/),
      FlowOutExUSD: expect.stringMatching(/^\d/),
      FlowInExNtv: expect.stringMatching(/^\d/),
      FlowOutExNtv: expect.stringMatching(/^\d/),
    });
    const net = Number(data[9]?.['FlowInExNtv']) - Number(data[9]?.['FlowOutExNtv']);
    expect(net).toBeCloseTo(flowsOf(sandbox.market).netOn('bitcoin', Date.UTC(2026, 10, 20) / DAY), 4);
  });

  test('pages back from the end, with an address for the next page', async () => {
    const all = await get('assets=btc&metrics=FlowInExNtv&page_size=400');
    const pages: Page[] = [await get('assets=btc&metrics=FlowInExNtv&page_size=150')];
    while (pages.length < 3) pages.push(await get(pages.at(-1)?.next_page_url ?? ''));
    expect(
      pages
        .toReversed()
        .flatMap(({ data }) => data)
        .slice(-400),
    ).toEqual(all.data);
    const first = await get('assets=btc&metrics=FlowInExNtv&page_size=2&paging_from=start');
    expect(first.data[0]?.['time']).toBe('2019-01-01T00:00:00.000000000Z');
  });

  test.each([
    ['assets=btc&metrics=SecretMetric', 403, 'forbidden'],
    ['assets=doge&metrics=PriceUSD', 400, 'bad_parameter'],
  ])('%s is refused', async (query, status, type) => {
    expect((await get(query, status)).error?.type).toBe(type);
  });
});

describe('FRED', () => {
  async function csv(query: string): Promise<string[][]> {
    const response = await fetch(`${sandbox.urls['FRED_BASE_URL']}/graph/fredgraph.csv?${query}`);
    expect(response.headers.get('content-type')).toContain('csv');
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  }

  test.each([
    ['DGS10', '2026-11-19', 0.5, 9],
    ['DGS2', '2026-11-19', 0.3, 9],
    ['VIXCLS', '2026-11-19', 9, 90],
    ['SP500', '2026-11-20', 2000, 14_000],
    ['DTWEXBGS', '2026-11-13', 95, 150],
    ['DCOILWTICO', '2026-11-13', 20, 200],
    ['FEDFUNDS', '2026-10-01', 0.1, 9],
  ])('%s is there up to %s', async (id, last, least, most) => {
    const [head, ...rows] = await csv(`id=${id}`);
    expect(head).toEqual(['observation_date', id]);
    expect(rows.at(-1)?.[0]).toBe(last);
    for (const [, value = ''] of rows) {
      if (value === '') continue;
      expect(Number(value)).toBeGreaterThan(least);
      expect(Number(value)).toBeLessThan(most);
    }
    if (id !== 'FEDFUNDS') expect(rows.length).toBeGreaterThan(5 * 250);
  });

  test('has no weekends, and holidays without a value', async () => {
    const rows = await csv('id=DGS10&cosd=2025-11-20&coed=2025-12-26');
    const values = new Map(rows.slice(1).map(([at = '', value = '']) => [at, value]));
    expect([values.get('2025-11-27'), values.get('2025-12-25')]).toEqual(['', '']);
    expect(values.get('2025-11-28')).toMatch(/^\d+\.\d\d$/);
    expect([values.has('2025-11-22'), values.has('2025-11-23')]).toEqual([false, false]);
    expect(values.size).toBe(27);
  });

  test('puts several series side by side', async () => {
    const [head, ...rows] = await csv('id=VIXCLS,DCOILWTICO&cosd=2026-11-09');
    expect(head).toEqual(['observation_date', 'VIXCLS', 'DCOILWTICO']);
    expect(rows.at(-1)).toEqual(['2026-11-19', expect.stringMatching(/^\d/), '']);
  });

  test('comes out with a new day when the clock has moved', async () => {
    sandbox.clock.advance(4 * DAY);
    expect((await csv('id=DGS10')).at(-1)?.[0]).toBe('2026-11-23');
    expect((await fetch(`${sandbox.urls['FRED_BASE_URL']}/graph/fredgraph.csv?id=NOTHING`)).status).toBe(404);
  });
});

type Page = {
  data: { id: string; date: string; isEstimated: boolean }[];
  meta: { total: number; cursor: string | null };
};
const BEARER = { authorization: 'Bearer demo' };
const ask = (query: string, headers: Record<string, string> = BEARER, path = '/v2/events') =>
  fetch(`${sandbox.urls['COINMARKETCAL_BASE_URL']}${path}?${query}`, { headers });

test('CoinMarketCal: pages by cursor say together what one page says', async () => {
  const whole = (await (await ask('limit=100')).json()) as Page;
  expect(whole.meta).toMatchObject({ total: 12, cursor: null });
  const rows: Page['data'] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=5' : `limit=5&cursor=${encodeURIComponent(cursor)}`;
    const page = (await (await ask(query)).json()) as Page;
    rows.push(...page.data);
    cursor = page.meta.cursor;
  }
  expect(rows).toEqual(whole.data);
  expect(rows.filter(({ isEstimated }) => isEstimated)).toHaveLength(1);
});

test.each([
  ['no key', 401, '', {}, '/v2/events'],
  ['the key as v1 had it', 401, '', { 'x-api-key': 'demo' }, '/v2/events'],
  ['the API that is gone', 404, '', BEARER, '/v1/events'],
])('CoinMarketCal: %s is refused with %i', async (_, status, query, headers: Record<string, string>, path) => {
  const answer = await ask(query, headers, path);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ error: { message: expect.any(String) } });
});
