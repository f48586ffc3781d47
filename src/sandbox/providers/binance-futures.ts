import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins, fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Feed, type FeedSession, type Provider, ReplyError } from '#sandbox/provider.ts';
import type { Liquidation } from '../market/liquidations.ts';
import { contractsBy, FUNDING_INTERVAL_MS, priceText } from './contracts.ts';
import { parseMessage } from './json-rpc.ts';
import { LiquidationTail } from './liquidation-tail.ts';

const ALL = '!forceOrder@arr';
const BEATS = 10;

const streamOf = ({ symbol }: Coin) => `${symbol}usdt@forceOrder`;

/** At most one order per symbol and second is sent: the largest. */
function forceOrder({ coin, at, side, usd, price }: Liquidation, now: number) {
  const quantity = String(Math.max(0.001, Number((usd / price).toFixed(3))));
  return {
    e: 'forceOrder',
    E: Math.floor(now),
    o: {
      s: `${coin.symbol.toUpperCase()}USDT`,
      S: side === 'long' ? 'SELL' : 'BUY',
      o: 'LIMIT',
      f: 'IOC',
      q: quantity,
      p: priceText(coin, price),
      ap: priceText(coin, price * (side === 'long' ? 1.0004 : 0.9996)),
      X: 'FILLED',
      l: quantity,
      z: quantity,
      T: at,
    },
  };
}

/** Streams named in the address: `/ws/<stream>` or `/stream?streams=<stream>/<stream>`. */
function namedIn(url: URL): string[] {
  const combined = url.searchParams.get('streams');
  if (combined !== null) return combined.split('/');
  const last = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  return last.includes('@') ? [last] : [];
}

function session(market: Market, send: (text: string) => void, url: URL): FeedSession {
  const tail = new LiquidationTail(market, 'binance');
  const isCombined = url.searchParams.has('streams') || url.pathname.endsWith('/stream');
  const wanted = new Set(namedIn(url));
  const isWatched = (coin: Coin) => wanted.has(ALL) || wanted.has(streamOf(coin));
  const watched = new Set<Coin>();

  function follow(now: number): void {
    for (const coin of contractCoins(market)) {
      if (isWatched(coin) === watched.has(coin)) continue;
      if (isWatched(coin)) {
        watched.add(coin);
        tail.watch(coin, now);
      } else {
        watched.delete(coin);
        tail.forget(coin);
      }
    }
  }

  return {
    receive(text, now) {
      const {
        method,
        params,
        id = null,
      } = parseMessage<{ method: string; params: unknown[]; id: unknown }>(text) ?? {};
      if ((method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE') || !Array.isArray(params)) {
        return send(JSON.stringify({ error: { code: 2, msg: 'Invalid request: unknown method' }, id }));
      }
      for (const stream of params.map(String)) {
        if (method === 'SUBSCRIBE') wanted.add(stream);
        else wanted.delete(stream);
      }
      follow(now);
      send(JSON.stringify({ result: null, id }));
    },
    push(now, tick) {
      if (wanted.size > 0 && watched.size === 0) follow(now);
      if (tick !== 'moved' && tick % BEATS !== 0) return;
      for (const { coin, events } of tail.next(now)) {
        const largest = events.reduce((best, event) => (event.usd > best.usd ? event : best));
        const data = forceOrder(largest, now);
        const stream = wanted.has(ALL) ? ALL : streamOf(coin);
        send(JSON.stringify(isCombined ? { stream, data } : data));
      }
    },
  };
}

const binanceFeed = (market: Market, path: string): Feed => ({
  path,
  deep: true,
  open: (send, url) => session(market, send, url),
});

const refuse = (code: number, msg: string) => new ReplyError({ status: 400, body: { code, msg } });

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
    nextFundingTime: floorTo(now, FUNDING_INTERVAL_MS) + FUNDING_INTERVAL_MS,
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

/** Only contracts with changed terms are listed, some with the usual interval. */
const fundingInfo = (symbols: Iterable<string>) =>
  [...symbols].slice(0, 5).map((symbol) => ({
    symbol,
    adjustedFundingRateCap: '0.02000000',
    adjustedFundingRateFloor: '-0.02000000',
    fundingIntervalHours: 8,
    disclaimer: false,
  }));

/** Oldest first: the first ones from `startTime`, or the latest ones. */
function fundingRates(market: Market, symbol: string, coin: Coin, { query, now }: Call) {
  const limit = Math.min(Number(query.get('limit')) || 100, 1000);
  const last = floorTo(Math.min(Number(query.get('endTime')) || now, now), FUNDING_INTERVAL_MS);
  const start = query.get('startTime');
  const wanted = start
    ? Math.ceil(Number(start) / FUNDING_INTERVAL_MS) * FUNDING_INTERVAL_MS
    : last - (limit - 1) * FUNDING_INTERVAL_MS;
  const rows: unknown[] = [];
  for (let at = Math.max(MARKET_START, wanted); at <= last && rows.length < limit; at += FUNDING_INTERVAL_MS) {
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
        handle: (call) => {
          const one = named(call);
          if (!one) throw refuse(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
          return { body: openInterest(market, ...one, call.now) };
        },
      },
      {
        path: '/fapi/v1/premiumIndex',
        handle: (call) => {
          const one = named(call);
          if (one) return { body: premiumIndex(market, ...one, call.now) };
          return { body: [...bySymbol].map(([symbol, coin]) => premiumIndex(market, symbol, coin, call.now)) };
        },
      },
      {
        path: '/fapi/v1/fundingRate',
        handle: (call) => {
          const one = named(call);
          const all = one ? [one] : [...bySymbol].slice(0, 10);
          return { body: all.flatMap(([symbol, coin]) => fundingRates(market, symbol, coin, call)) };
        },
      },
      { path: '/fapi/v1/fundingInfo', handle: () => ({ body: fundingInfo(bySymbol.keys()) }) },
      {
        path: '/fapi/v1/ticker/24hr',
        handle: (call) => {
          const one = named(call);
          if (one) return { body: dayTicker(market, ...one, call.now) };
          return { body: [...bySymbol].map(([symbol, coin]) => dayTicker(market, symbol, coin, call.now)) };
        },
      },
      { path: '/fapi/v1/time', handle: ({ now }) => ({ body: { serverTime: now } }) },
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
