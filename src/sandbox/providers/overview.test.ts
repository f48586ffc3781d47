import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY, floorTo } from '#sandbox/market/time.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, now: NOW });
});
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

  test('gives one day unless told, and all of them for 0', async () => {
    expect((await index()).data).toHaveLength(1);
    expect((await index('&limit=0')).data.length).toBeGreaterThan(5 * 365);
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

  test('does not know other protocols', async () => {
    expect(await get('LLAMA_BASE_URL', '/protocol/nothing', 400)).toEqual({ message: 'Protocol not found' });
  });
});

test.each([
  ['alternative-me', 'ALTERNATIVE_ME_BASE_URL', '/fng/?limit=2'],
  ['stablecoins-llama', 'STABLECOINS_LLAMA_BASE_URL', '/stablecoincharts/all'],
  ['llama', 'LLAMA_BASE_URL', '/protocol/okx'],
])('%s answers warm in milliseconds', async (_id, name, path) => {
  const took: number[] = [];
  // The quickest of up to thirty says what the answer costs; the others say how busy the machine is.
  for (let i = 0; i < 30 && Math.min(...took.slice(1)) > 60; i++) {
    const start = performance.now();
    await (await fetch(`${sandbox.urls[name]}${path}`)).arrayBuffer();
    took.push(performance.now() - start);
  }
  expect(Math.min(...took.slice(1))).toBeLessThan(60);
});
