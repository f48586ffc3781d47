import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY, floorTo, HOUR, MINUTE } from '#sandbox/market/time.ts';
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

type Ticker = {
  instId: string;
  last: string;
  open24h: string;
  high24h: string;
  low24h: string;
  bidPx: string;
  askPx: string;
};
type Okx<T> = { code: string; msg: string; data: T[] };

const okx = <T>(path: string, status = 200) => get<Okx<T>>('OKX_BASE_URL', `/api/v5${path}`, status);
const coinbase = <T>(path: string, status = 200) => get<T>('COINBASE_BASE_URL', path, status);

const startOf = async (bar: string) =>
  Number((await okx<string[]>(`/market/candles?instId=BTC-USDT&bar=${bar}`)).data[0]?.[0]);

describe('OKX', () => {
  test('lists 220 spot instruments, and no futures', async () => {
    const { data } = await okx<{ instId: string }>('/public/instruments?instType=SPOT');
    expect(data).toHaveLength(220);
    expect(data.map(({ instId }) => instId)).toEqual(expect.arrayContaining(['BTC-USDT', 'SUI-USDT', 'XRP-USDT']));
    expect(await okx('/public/instruments?instType=FUTURES')).toEqual({ code: '0', msg: '', data: [] });
  });

  test('tickers are near the market and in order', async () => {
    const { data } = await okx<Ticker>('/market/tickers?instType=SPOT');
    for (const { instId, ...ticker } of data) {
      const symbol = instId.replace('-USDT', '').toLowerCase();
      const coin = sandbox.market.coins.find((candidate) => candidate.symbol === symbol);
      const price = sandbox.market.priceAt(coin?.id ?? '', NOW);
      const [last, high, low] = [Number(ticker.last), Number(ticker.high24h), Number(ticker.low24h)];
      expect(Math.abs(last / price - 1), instId).toBeLessThan(0.001);
      expect(last, instId).toBeLessThanOrEqual(high);
      expect(last, instId).toBeGreaterThanOrEqual(low);
      expect(Number(ticker.bidPx), instId).toBeLessThan(Number(ticker.askPx));
    }
  });

  test.each([
    ['1m', MINUTE],
    ['5m', 5 * MINUTE],
    ['1H', HOUR],
    ['4H', 4 * HOUR],
    ['1Dutc', DAY],
    ['1D', DAY],
  ])('candles of %s come newest first, nine texts each, the running one unconfirmed', async (bar, step) => {
    const { data } = await okx<string[]>(`/market/candles?instId=SUI-USDT&bar=${bar}&limit=50`);
    expect(data).toHaveLength(50);
    expect(data.every((row) => row.length === 9)).toBe(true);
    const starts = data.map(([at]) => Number(at));
    for (const [i, at] of starts.entries()) if (i > 0) expect((starts[i - 1] ?? 0) - at).toBe(step);
    expect(data.map((row) => row[8])).toEqual(['0', ...Array.from({ length: 49 }, () => '1')]);
    const ticker = await okx<Ticker>('/market/ticker?instId=SUI-USDT');
    expect(data[0]?.[4]).toBe(ticker.data[0]?.last);
    expect(data[0]?.[1]).toBe(data[1]?.[4]);
  });

  test('1D begins at 16:00 UTC, 1Dutc at midnight', async () => {
    expect(await startOf('1Dutc')).toBe(floorTo(NOW, DAY));
    expect((await startOf('1D')) % DAY).toBe(16 * HOUR);
  });

  test('pages back with after, forward with before, and five years through history-candles', async () => {
    const first = floorTo(NOW, DAY) - 1825 * DAY;
    const old = await okx<string[]>(
      `/market/history-candles?instId=BTC-USDT&bar=1Dutc&before=${first - 1}&after=${first + 100 * DAY}`,
    );
    expect(old.data).toHaveLength(100);
    expect(Number(old.data.at(-1)?.[0])).toBe(first);
    const recent = await okx<string[]>(
      `/market/candles?instId=BTC-USDT&bar=1m&before=${floorTo(NOW, MINUTE) - 5 * MINUTE}`,
    );
    expect(recent.data).toHaveLength(5);
    expect((await okx(`/market/candles?instId=BTC-USDT&bar=1m&after=${NOW - 2 * DAY}`)).data).toEqual([]);
  });

  test.each([
    ['/market/ticker?instId=NO-USDT', 200, '51001'],
    ['/market/ticker', 400, '50014'],
    ['/market/tickers', 400, '50014'],
    ['/market/tickers?instType=BOND', 400, '51000'],
    ['/market/candles?instId=BTC-USDT&bar=7m', 400, '51000'],
  ])('%s is refused with code', async (path, status, code) => {
    expect(await okx(path, status)).toMatchObject({ code, data: [] });
  });
});

describe('Coinbase', () => {
  test('lists 120 products with their currencies', async () => {
    const products = await coinbase<{ id: string; base_currency: string }[]>('/products');
    const currencies = await coinbase<{ id: string }[]>('/currencies');
    expect(products).toHaveLength(120);
    expect(products.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['BTC-USD', 'ETH-USD', 'SOL-USD', 'SUI-USD', 'XRP-USD']),
    );
    const known = new Set(currencies.map(({ id }) => id));
    expect(products.filter(({ base_currency }) => !known.has(base_currency))).toEqual([]);
  });

  test('is a few basis points from OKX, not more', async () => {
    const here = Number((await coinbase<{ price: string }>('/products/ETH-USD/ticker')).price);
    const there = Number((await okx<Ticker>('/market/ticker?instId=ETH-USDT')).data[0]?.last);
    expect(here).not.toBe(there);
    expect(Math.abs(here / there - 1)).toBeLessThan(0.0005);
  });

  test('candles agree with the ticker, the stats and each other', async () => {
    const minutes = await coinbase<number[][]>('/products/BTC-USD/candles?granularity=60');
    const hours = await coinbase<number[][]>('/products/BTC-USD/candles?granularity=3600');
    const ticker = await coinbase<{ price: string }>('/products/BTC-USD/ticker');
    const stats = await coinbase<{ high: string; low: string }>('/products/BTC-USD/stats');
    expect(minutes).toHaveLength(300);
    expect(minutes[0]?.[4]).toBe(Number(ticker.price));
    expect(hours[0]?.[4]).toBe(Number(ticker.price));
    const inHour = minutes.filter(([at]) => (at ?? 0) >= (hours[1]?.[0] ?? 0) && (at ?? 0) < (hours[0]?.[0] ?? 0));
    expect(inHour).toHaveLength(60);
    expect(Math.max(...inHour.map((row) => row[2] ?? 0))).toBe(hours[1]?.[2]);
    expect(Math.min(...inHour.map((row) => row[1] ?? 0))).toBe(hours[1]?.[1]);
    expect(Number(stats.high)).toBeGreaterThanOrEqual(hours[1]?.[2] ?? 0);
    expect(Number(stats.low)).toBeLessThanOrEqual(hours[1]?.[1] ?? 0);
  });

  test.each([
    ['/products/NO-USD/ticker', 404, 'NotFound'],
    ['/products/BTC-USD/candles?granularity=61', 400, 'Unsupported granularity'],
    [
      '/products/BTC-USD/candles?granularity=60&start=2026-11-01T00:00:00Z&end=2026-11-02T00:00:00Z',
      400,
      'exceeds 300',
    ],
    ['/nowhere', 404, 'NotFound'],
  ])('%s is refused with %i', async (path, status, message) => {
    expect(await coinbase(path, status)).toEqual({ message: expect.stringContaining(message) });
  });
});

describe('CoinPaprika', () => {
  test('agrees with the market, ranks included', async () => {
    const tickers = await get<
      { id: string; rank: number; quotes: { USD: { price: number; percent_change_24h: number } } }[]
    >('COINPAPRIKA_BASE_URL', '/tickers?quotes=USD&limit=250');
    const asOf = floorTo(NOW, MINUTE);
    expect(tickers).toHaveLength(250);
    expect(tickers.map(({ rank }) => rank)).toEqual(tickers.map((_, i) => i + 1));
    expect(tickers[0]).toMatchObject({
      id: 'btc-bitcoin',
      quotes: { USD: { price: sandbox.market.priceAt('bitcoin', asOf) } },
    });
  });

  test('global has the sums and a share of bitcoin', async () => {
    const figures = await get<Record<string, number>>('COINPAPRIKA_BASE_URL', '/global');
    const share =
      (100 * sandbox.market.marketCapAt('bitcoin', floorTo(NOW, MINUTE))) / (figures['market_cap_usd'] ?? 0);
    expect(figures['bitcoin_dominance_percentage']).toBeCloseTo(share, 1);
  });
});
