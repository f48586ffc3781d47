import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileSandbox } from '#tests/support/for-file.ts';
import { floorTo, HOUR } from './market/time.ts';

type Ticker = { symbol: string; last: number; high: number; low: number; baseVolume: number };
type Exchange = {
  urls: { api: Record<string, unknown> };
  options: Record<string, unknown>;
  markets: Record<string, { id: string; contractSize?: number }>;
  tickers: Record<string, Ticker>;
  loadHttpProxyAgent: () => Promise<unknown>;
  loadMarkets: () => Promise<unknown>;
  watchTickers: (symbols: string[]) => Promise<Record<string, Ticker>>;
  fetchTicker: (symbol: string) => Promise<Ticker>;
  fetchTickers: () => Promise<Record<string, Ticker>>;
  fetchOHLCV: (symbol: string, timeframe: string, since?: number, limit?: number) => Promise<number[][]>;
  fetchOpenInterest: (symbol: string) => Promise<{ openInterestAmount: number; openInterestValue: number }>;
  fetchFundingRate: (symbol: string) => Promise<{ fundingRate: number; interval: string }>;
  watchLiquidationsForSymbols: (symbols: string[]) => Promise<{ contracts: number; price: number; side: string }[]>;
  close: () => Promise<void>;
};

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'];
const ccxtRoot = resolve(dirname(createRequire(import.meta.url).resolve('ccxt')), '..');

async function load(name: string): Promise<Exchange> {
  const file = pathToFileURL(resolve(ccxtRoot, 'js/src/pro', `${name}.js`)).href;
  const { default: Api } = (await import(/* @vite-ignore */ file)) as { default: new (options: object) => Exchange };
  const exchange = new Api({ enableRateLimit: false });
  // ccxt refuses ws:// addresses until this is called
  await exchange.loadHttpProxyAgent();
  return exchange;
}

const sandbox = fileSandbox(NOW);

async function okx(): Promise<Exchange> {
  const exchange = await load('okx');
  exchange.urls.api['rest'] = sandbox.urls['OKX_BASE_URL'];
  exchange.urls.api['ws'] = sandbox.urls['OKX_WS_URL'];
  exchange.options['fetchMarkets'] = { types: ['spot'] };
  return exchange;
}

async function coinbase(): Promise<Exchange> {
  const exchange = await load('coinbaseexchange');
  exchange.urls.api['public'] = sandbox.urls['COINBASE_BASE_URL'];
  exchange.urls.api['ws'] = sandbox.urls['COINBASE_WS_URL'];
  return exchange;
}

describe.each([
  ['okx', okx, 'USDT', 220],
  ['coinbaseexchange', coinbase, 'USD', 120],
])('ccxt %s', (_name, create, quote, count) => {
  let exchange: Exchange;
  const symbols = SYMBOLS.map((base) => `${base}/${quote}`);
  beforeAll(async () => {
    exchange = await create();
    await exchange.loadMarkets();
  });
  afterAll(() => exchange.close());

  test('loads the markets', () => {
    expect(Object.keys(exchange.markets)).toHaveLength(count);
    expect(Object.keys(exchange.markets)).toEqual(expect.arrayContaining(symbols));
  });

  test('watches tickers as they move', async () => {
    const seen = new Map<string, Set<number>>();
    const beat = setInterval(() => sandbox.clock.advance(1000), 50);
    while ([...seen.values()].filter((prices) => prices.size > 1).length < symbols.length) {
      await exchange.watchTickers(symbols);
      for (const { symbol, last } of Object.values(exchange.tickers)) {
        seen.set(symbol, (seen.get(symbol) ?? new Set()).add(last));
      }
    }
    clearInterval(beat);
    expect([...seen.keys()].toSorted()).toEqual(symbols.toSorted());
  });

  test('fetches tickers and candles that agree with the market', async () => {
    sandbox.clock.set(NOW);
    const ticker = await exchange.fetchTicker(`SUI/${quote}`);
    expect(ticker.last / sandbox.market.priceAt('sui', NOW)).toBeCloseTo(1, 3);
    expect(Object.keys(await exchange.fetchTickers())).toHaveLength(count);
    const from = floorTo(NOW, HOUR) - 48 * HOUR;
    const candles = await exchange.fetchOHLCV(`SUI/${quote}`, '1h', from, 24);
    expect(candles).toHaveLength(24);
    expect(candles[0]?.[0]).toBe(from);
    expect((candles[0]?.[4] ?? 0) / sandbox.market.priceAt('sui', from + HOUR)).toBeCloseTo(1, 3);
  });
});

test('ccxt okx reads open interest, funding and liquidations of a swap', async () => {
  const [exchange, symbol] = [await okx(), 'BTC/USDT:USDT'];
  exchange.options['fetchMarkets'] = { types: ['swap'] };
  await exchange.loadMarkets();
  expect(exchange.markets[symbol]?.contractSize).toBe(0.01);
  const { openInterestAmount, openInterestValue } = await exchange.fetchOpenInterest(symbol);
  expect((openInterestAmount * 0.01 * sandbox.market.priceAt('bitcoin', NOW)) / openInterestValue).toBeCloseTo(1, 2);
  const { fundingRate, interval } = await exchange.fetchFundingRate(symbol);
  expect([Math.abs(fundingRate) < 0.003, interval]).toEqual([true, '8h']);
  const beat = setInterval(() => sandbox.clock.advance(60_000), 50);
  const [liquidation] = await exchange.watchLiquidationsForSymbols([symbol]);
  clearInterval(beat);
  expect(liquidation).toMatchObject({ side: expect.stringMatching(/^(buy|sell)$/), contracts: expect.any(Number) });
  await exchange.close();
  sandbox.clock.set(NOW);
});
