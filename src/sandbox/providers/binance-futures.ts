import type { Coin } from '#sandbox/market/coins.ts';
import { fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, Refusal } from '#sandbox/provider.ts';

import { binanceFeed } from './binance-feed.ts';
import { contractsBy, EIGHT_HOURS, priceText } from './contracts.ts';

const refuse = (code: number, msg: string) => new Refusal({ status: 400, body: { code, msg } });

function openInterest(market: Market, symbol: string, coin: Coin, now: number) {
  const coins = openInterestAt(market, 'binance', coin, now) / market.priceAt(coin, now);
  return { symbol, openInterest: coins.toFixed(3), time: now };
}

function premiumIndex(market: Market, symbol: string, coin: Coin, now: number) {
  const index = market.priceAt(coin, now);
  return {
    symbol,
    markPrice: markAt(market, 'binance', coin, now).toFixed(8),
    indexPrice: index.toFixed(8),
    estimatedSettlePrice: index.toFixed(8),
    lastFundingRate: fundingAt(market, 'binance', coin, now).toFixed(8),
    interestRate: '0.00010000',
    nextFundingTime: floorTo(now, EIGHT_HOURS) + EIGHT_HOURS,
    time: now,
  };
}

const TRADED = 0.22;

function dayTicker(market: Market, symbol: string, coin: Coin, now: number) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const text = (value: number) => priceText(coin, value);
  const quoteVolume = volumeUsd * TRADED;
  return {
    symbol,
    priceChange: text(price - open),
    priceChangePercent: (100 * (price / open - 1)).toFixed(3),
    weightedAvgPrice: text((high + low) / 2),
    lastPrice: text(price),
    lastQty: '0.01',
    openPrice: text(open),
    highPrice: text(high),
    lowPrice: text(low),
    volume: (quoteVolume / ((high + low) / 2)).toFixed(3),
    quoteVolume: quoteVolume.toFixed(2),
    openTime: now - DAY,
    closeTime: now,
    firstId: 1,
    lastId: 900_001,
    count: 900_000,
  };
}

/** Only contracts whose terms were changed are named, some with the usual interval. */
const fundingInfo = (symbols: Iterable<string>) =>
  [...symbols].slice(0, 5).map((symbol) => ({
    symbol,
    adjustedFundingRateCap: '0.02000000',
    adjustedFundingRateFloor: '-0.02000000',
    fundingIntervalHours: 8,
    disclaimer: false,
  }));

/** Oldest first: the first ones from `startTime`, or the last ones. */
function fundingRates(market: Market, symbol: string, coin: Coin, { query, now }: Call) {
  const limit = Math.min(Number(query.get('limit')) || 100, 1000);
  const last = floorTo(Math.min(Number(query.get('endTime')) || now, now), EIGHT_HOURS);
  const start = query.get('startTime');
  const wanted = start ? Math.ceil(Number(start) / EIGHT_HOURS) * EIGHT_HOURS : last - (limit - 1) * EIGHT_HOURS;
  const rows: unknown[] = [];
  for (let at = Math.max(MARKET_START, wanted); at <= last && rows.length < limit; at += EIGHT_HOURS) {
    rows.push({
      symbol,
      fundingTime: at,
      fundingRate: fundingAt(market, 'binance', coin, at).toFixed(8),
      markPrice: markAt(market, 'binance', coin, at).toFixed(8),
    });
  }
  return rows;
}

export function binanceFutures(market: Market): Provider {
  const bySymbol = contractsBy(market, (base) => `${base}USDT`);
  const named = ({ query }: Call): readonly [string, Coin] | undefined => {
    const symbol = query.get('symbol');
    if (!symbol) return undefined;
    const coin = bySymbol.get(symbol);
    if (!coin) throw refuse(-1121, 'Invalid symbol.');
    return [symbol, coin];
  };
  return {
    id: 'binance-futures',
    base: '/binance-futures',
    env: {
      BINANCE_FUTURES_BASE_URL: { scheme: 'http', path: '/binance-futures' },
      BINANCE_FUTURES_WS_URL: { scheme: 'ws', path: '/binance-futures/feed' },
    },
    feed: binanceFeed(market, '/binance-futures/feed'),
    routes: [
      {
        path: '/fapi/v1/openInterest',
        answer: (call) => {
          const one = named(call);
          if (!one) throw refuse(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
          return { body: openInterest(market, ...one, call.now) };
        },
      },
      {
        path: '/fapi/v1/premiumIndex',
        answer: (call) => {
          const one = named(call);
          if (one) return { body: premiumIndex(market, ...one, call.now) };
          return { body: [...bySymbol].map(([symbol, coin]) => premiumIndex(market, symbol, coin, call.now)) };
        },
      },
      {
        path: '/fapi/v1/fundingRate',
        answer: (call) => {
          const one = named(call);
          const all = one ? [one] : [...bySymbol].slice(0, 10);
          return { body: all.flatMap(([symbol, coin]) => fundingRates(market, symbol, coin, call)) };
        },
      },
      { path: '/fapi/v1/fundingInfo', answer: () => ({ body: fundingInfo(bySymbol.keys()) }) },
      {
        path: '/fapi/v1/ticker/24hr',
        answer: (call) => {
          const one = named(call);
          if (one) return { body: dayTicker(market, ...one, call.now) };
          return { body: [...bySymbol].map(([symbol, coin]) => dayTicker(market, symbol, coin, call.now)) };
        },
      },
      { path: '/fapi/v1/time', answer: ({ now }) => ({ body: { serverTime: now } }) },
    ],
    notFound: { status: 404, body: { code: -5000, msg: 'Path is invalid.' } },
    rateLimited: { code: -1003, msg: 'Too many requests; current limit is 2400 requests per minute.' },
    serverError: { code: -1001, msg: 'Internal error; unable to process your request. Please try again.' },
    withNulls: (_path, body) => {
      const emptied = (row: object) => ('lastFundingRate' in row ? { ...row, lastFundingRate: '' } : row);
      return Array.isArray(body) ? body.map(emptied) : emptied(body as object);
    },
  };
}
