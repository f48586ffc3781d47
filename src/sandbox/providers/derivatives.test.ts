import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DAY, floorTo, HOUR } from '#sandbox/market/time.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const EIGHT_HOURS = 8 * HOUR;

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

type Row = Record<string, string>;
const okx = async (path: string) => (await get<{ data: Row[] }>('OKX_BASE_URL', `/api/v5/public${path}`)).data;
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
  const [swap] = await okx('/open-interest?instType=SWAP&instId=BTC-USDT-SWAP');
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
  const [swap] = await okx('/funding-rate?instId=ETH-USDT-SWAP');
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

describe('OKX', () => {
  test('lists its swaps with their contract sizes', async () => {
    const rows = await okx('/instruments?instType=SWAP');
    const sizes = new Map(rows.map((row) => [row['instId'], row['ctVal']]));
    expect([sizes.get('BTC-USDT-SWAP'), sizes.get('ETH-USDT-SWAP')]).toEqual(['0.01', '0.1']);
    expect((await okx('/open-interest?instType=SWAP')).map((row) => row['instId'])).toEqual([...sizes.keys()]);
  });

  test('settles funding every eight hours, newest first, for three months', async () => {
    const rows = await okx('/funding-rate-history?instId=BTC-USDT-SWAP');
    const [current] = await okx('/funding-rate?instId=BTC-USDT-SWAP');
    expect(rows[0]).toMatchObject({ fundingTime: String(floorTo(NOW, EIGHT_HOURS)), realizedRate: expect.any(String) });
    expect(rows[0]?.['fundingRate']).toBe(current?.['settFundingRate']);
    const older = await okx(`/funding-rate-history?instId=BTC-USDT-SWAP&after=${rows[9]?.['fundingTime']}&limit=3`);
    expect(older).toEqual(rows.slice(10, 13));
    expect(rows.length).toBe(276);
  });

  test('tells liquidations newest first and pages back', async () => {
    type Detail = { ts: string; sz: string; posSide: string; side: string; bkPx: string };
    const path = '/liquidation-orders?instType=SWAP&uly=BTC-USDT&state=filled';
    const detailsOf = (rows: unknown) => (rows as { details: Detail[] }[])[0]?.details ?? [];
    const details = detailsOf(await okx(path));
    expect(details).toHaveLength(100);
    const times = details.map(({ ts }) => Number(ts));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBeLessThanOrEqual(NOW);
    for (const { posSide, side, sz, bkPx, ts } of details) {
      expect([posSide, side]).toEqual(posSide === 'long' ? ['long', 'sell'] : ['short', 'buy']);
      expect(Number(sz)).toBeGreaterThan(0);
      expect(Math.abs(Number(bkPx) / sandbox.market.priceAt('bitcoin', Number(ts)) - 1)).toBeLessThan(0.015);
    }
    const older = detailsOf(await okx(`${path}&after=${times[49]}`));
    expect(older.slice(0, 40)).toEqual(details.slice(50, 90));
  });

  test.each([
    ['/open-interest', 400, '50014'],
    ['/open-interest?instType=SWAP&instId=NO-USDT-SWAP', 200, '51001'],
    ['/funding-rate', 400, '50014'],
    ['/liquidation-orders?instType=SWAP&uly=BTC-USDT', 400, '51000'],
    ['/liquidation-orders?instType=SWAP&state=filled', 400, '50014'],
  ])('%s is refused', async (path, status, code) => {
    expect(await get('OKX_BASE_URL', `/api/v5/public${path}`, status)).toMatchObject({ code, data: [] });
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

  test('a wrong parameter is retCode 10001 under 200', async () => {
    for (const path of [
      '/tickers?category=bonds',
      '/tickers?category=linear&symbol=NOUSDT',
      '/funding/history?category=linear',
    ]) {
      expect(await get('BYBIT_BASE_URL', `/v5/market${path}`)).toMatchObject({ retCode: 10_001, result: {} });
    }
  });

  test('a fault can do the same', async () => {
    sandbox.faults.set({ provider: 'bybit', kind: 'error_200', count: 1 });
    expect(await get('BYBIT_BASE_URL', '/v5/market/tickers?category=linear')).toMatchObject({ retCode: 10_001 });
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

  test('refuses what it does not know', async () => {
    expect(await binance('/openInterest?symbol=NO', 400)).toMatchObject({ code: -1121 });
    expect(await binance('/openInterest', 400)).toMatchObject({ code: -1102 });
    expect(await binance<unknown[]>('/premiumIndex')).toHaveLength(40);
  });
});

test('Deribit and Hyperliquid refuse what they do not know', async () => {
  const wrong = await get('DERIBIT_BASE_URL', '/api/v2/public/ticker?instrument_name=NO', 400);
  expect(wrong).toMatchObject({ jsonrpc: '2.0', error: { code: -32_602 } });
  const response = await fetch(`${sandbox.urls['HYPERLIQUID_BASE_URL']}/info`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(422);
});
