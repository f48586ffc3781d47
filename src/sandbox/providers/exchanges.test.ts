import { describe, expect, test } from 'vitest';

import { DAY, floorTo, HOUR, MINUTE } from '#sandbox/market/time.ts';
import { fileSandbox } from '#tests/support/for-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

const sandbox = fileSandbox(NOW);

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

const EIGHT_HOURS = 8 * HOUR;
const startOf = async (bar: string) =>
  Number((await okx<string[]>(`/market/candles?instId=BTC-USDT&bar=${bar}`)).data[0]?.[0]);

describe('OKX', () => {
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
});

describe('Coinbase', () => {
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

type Row = Record<string, string>;
const swaps = async (path: string) => (await get<{ data: Row[] }>('OKX_BASE_URL', `/api/v5/public${path}`)).data;
const bybit = async (path: string) =>
  (await get<{ result: { list: Row[] } }>('BYBIT_BASE_URL', `/v5/market${path}`)).result.list;
const binance = <T>(path: string, status = 200) => get<T>('BINANCE_FUTURES_BASE_URL', `/fapi/v1${path}`, status);
const kraken = async () =>
  (await get<{ tickers: Record<string, number>[] }>('KRAKEN_FUTURES_BASE_URL', '/derivatives/api/v3/tickers')).tickers;
async function deribit(name: string) {
  const path = `/api/v2/public/ticker?instrument_name=${name}`;
  return (await get<{ result: Record<string, number> }>('DERIBIT_BASE_URL', path)).result;
}
async function hyperliquid() {
  const init = { method: 'POST', body: JSON.stringify({ type: 'metaAndAssetCtxs' }) };
  const response = await fetch(`${sandbox.urls['HYPERLIQUID_BASE_URL']}/info`, init);
  const [{ universe }, contexts] = (await response.json()) as [{ universe: { name: string }[] }, Row[]];
  return new Map(universe.map(({ name }, i) => [name, contexts[i] as Row]));
}

test('open interest of bitcoin is of one size everywhere, each venue in its own units', async () => {
  const price = sandbox.market.priceAt('bitcoin', NOW);
  const [swap] = await swaps('/open-interest?instType=SWAP&instId=BTC-USDT-SWAP');
  expect(Number(swap?.['oi']) * 0.01).toBeCloseTo(Number(swap?.['oiCcy']), 3);
  expect((Number(swap?.['oiCcy']) * price) / Number(swap?.['oiUsd'])).toBeCloseTo(1, 4);
  const [linear] = await bybit('/tickers?category=linear&symbol=BTCUSDT');
  const { openInterest } = await binance<{ openInterest: string }>('/openInterest?symbol=BTCUSDT');
  const usd = {
    okx: Number(swap?.['oiUsd']),
    bybit: Number(linear?.['openInterestValue']),
    binance: Number(openInterest) * price,
    deribit: (await deribit('BTC-PERPETUAL'))['open_interest'] ?? 0,
    kraken: ((await kraken())[0]?.['openInterest'] ?? 0) * price,
    hyperliquid: Number((await hyperliquid()).get('BTC')?.['openInterest']) * price,
  };
  expect(usd.binance).toBeGreaterThan(usd.okx);
  expect(usd.okx).toBeGreaterThan(usd.deribit);
  expect(usd.deribit).toBeGreaterThan(usd.kraken);
  const sum = Object.values(usd).reduce((total, value) => total + value, 0);
  const ofCap = sum / sandbox.market.marketCapAt('bitcoin', NOW);
  expect(ofCap).toBeGreaterThan(0.008);
  expect(ofCap).toBeLessThan(0.03);
});

test('funding is alike everywhere once it is per eight hours', async () => {
  const price = sandbox.market.priceAt('ethereum', NOW);
  const [swap] = await swaps('/funding-rate?instId=ETH-USDT-SWAP');
  const [linear] = await bybit('/tickers?category=linear&symbol=ETHUSDT');
  const { lastFundingRate } = await binance<{ lastFundingRate: string }>('/premiumIndex?symbol=ETHUSDT');
  const absolute = (await kraken()).find((row) => String(row['symbol']) === 'PF_ETHUSD')?.['fundingRate'] ?? 0;
  const rates = [
    Number(swap?.['fundingRate']),
    Number(linear?.['fundingRate']),
    Number(lastFundingRate),
    (8 * absolute) / price,
    8 * Number((await hyperliquid()).get('ETH')?.['funding']),
    (await deribit('ETH-PERPETUAL'))['current_funding'] ?? 0,
  ];
  for (const rate of rates) expect(Math.abs(rate)).toBeLessThan(0.003);
  expect(Math.max(...rates) - Math.min(...rates)).toBeLessThan(0.0006);
});

describe('swaps of OKX', () => {
  test('lists its swaps with their contract sizes', async () => {
    const rows = await swaps('/instruments?instType=SWAP');
    const sizes = new Map(rows.map((row) => [row['instId'], row['ctVal']]));
    expect([sizes.get('BTC-USDT-SWAP'), sizes.get('ETH-USDT-SWAP')]).toEqual(['0.01', '0.1']);
    expect((await swaps('/open-interest?instType=SWAP')).map((row) => row['instId'])).toEqual([...sizes.keys()]);
  });

  test('settles funding every eight hours, newest first, for three months', async () => {
    const rows = await swaps('/funding-rate-history?instId=BTC-USDT-SWAP');
    const [current] = await swaps('/funding-rate?instId=BTC-USDT-SWAP');
    expect(rows[0]).toMatchObject({ fundingTime: String(floorTo(NOW, EIGHT_HOURS)), realizedRate: expect.any(String) });
    expect(rows[0]?.['fundingRate']).toBe(current?.['settFundingRate']);
    const older = await swaps(`/funding-rate-history?instId=BTC-USDT-SWAP&after=${rows[9]?.['fundingTime']}&limit=3`);
    expect(older).toEqual(rows.slice(10, 13));
    expect(rows.length).toBe(276);
  });

  test('tells liquidations newest first and pages back', async () => {
    type Detail = { ts: string; sz: string; posSide: string; side: string; bkPx: string };
    const path = '/liquidation-orders?instType=SWAP&uly=BTC-USDT&state=filled';
    const detailsOf = (rows: unknown) => (rows as { details: Detail[] }[])[0]?.details ?? [];
    const details = detailsOf(await swaps(path));
    expect(details).toHaveLength(100);
    const times = details.map(({ ts }) => Number(ts));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBeLessThanOrEqual(NOW);
    for (const { posSide, side, sz, bkPx, ts } of details) {
      expect([posSide, side]).toEqual(posSide === 'long' ? ['long', 'sell'] : ['short', 'buy']);
      expect(Number(sz)).toBeGreaterThan(0);
      expect(Math.abs(Number(bkPx) / sandbox.market.priceAt('bitcoin', Number(ts)) - 1)).toBeLessThan(0.015);
    }
    const older = detailsOf(await swaps(`${path}&after=${times[49]}`));
    expect(older.slice(0, 40)).toEqual(details.slice(50, 90));
  });
});

describe('Bybit', () => {
  test('funding history is newest first, texts all of it, and reaches back years', async () => {
    const rows = await bybit('/funding/history?category=linear&symbol=BTCUSDT');
    expect(rows).toHaveLength(200);
    expect(rows[0]).toEqual({
      symbol: 'BTCUSDT',
      fundingRate: expect.stringMatching(/^-?\d/),
      fundingRateTimestamp: String(floorTo(NOW, EIGHT_HOURS)),
    });
    const end = NOW - 1500 * DAY;
    const path = `/funding/history?category=linear&symbol=BTCUSDT&startTime=${end - DAY}&endTime=${end}`;
    expect(await bybit(path)).toHaveLength(3);
  });
});

describe('Binance', () => {
  test('funding rates are oldest first, the last one settled last', async () => {
    const rows = await binance<{ fundingTime: number; fundingRate: string }[]>(
      '/fundingRate?symbol=BTCUSDT&limit=1000',
    );
    expect(rows).toHaveLength(1000);
    expect(rows.at(-1)?.fundingTime).toBe(floorTo(NOW, EIGHT_HOURS));
    const start = rows[0]?.fundingTime ?? 0;
    expect(await binance(`/fundingRate?symbol=BTCUSDT&startTime=${start}&limit=5`)).toEqual(rows.slice(0, 5));
  });
});
