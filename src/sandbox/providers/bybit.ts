import type { Coin } from '#sandbox/market/coins.ts';
import { fundingAt, markAt, openInterestAt } from '#sandbox/market/derivatives.ts';
import type { Market } from '#sandbox/market/market.ts';
import { floorTo, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Feed, type FeedSession, type Provider, ReplyError } from '#sandbox/provider.ts';

import { contractsBy, FUNDING_INTERVAL_MS, priceText } from './contracts.ts';
import { parseMessage } from './json-rpc.ts';
import { LiquidationTail } from './liquidation-tail.ts';

const TOPIC = 'allLiquidation.';
/** Sent in batches, twice a second. */
const BEATS = 5;

type Request = { op: string; args: unknown[]; req_id: string };

function session(market: Market, bySymbol: ReadonlyMap<string, Coin>, send: (text: string) => void): FeedSession {
  const tail = new LiquidationTail(market, 'bybit');
  const sendJson = (message: unknown) => send(JSON.stringify(message));
  const reply = (op: string, ret_msg: string, req_id = '', success = true) =>
    sendJson({ success, ret_msg, conn_id: 'cejreaspqfm9se7usbrg-2xh', req_id, op });

  return {
    receive(text, now) {
      const { op, args, req_id } = parseMessage<Request>(text) ?? {};
      if (op === 'ping') return reply('ping', 'pong', req_id);
      if ((op !== 'subscribe' && op !== 'unsubscribe') || !Array.isArray(args)) {
        return reply('', 'error:unknown op', req_id, false);
      }
      const coins = args.map((topic) =>
        typeof topic === 'string' && topic.startsWith(TOPIC) ? bySymbol.get(topic.slice(TOPIC.length)) : undefined,
      );
      const wrong = args[coins.indexOf(undefined)];
      if (wrong !== undefined)
        return reply(op, `error:handler not found,topic:${JSON.stringify(wrong)}`, req_id, false);
      for (const coin of coins as Coin[]) {
        if (op === 'subscribe') tail.watch(coin, now);
        else tail.forget(coin);
      }
      reply(op, '', req_id);
    },
    push(now, tick) {
      if (tick !== 'moved' && tick % BEATS !== 0) return;
      for (const { coin, events } of tail.next(now)) {
        const symbol = `${coin.symbol.toUpperCase()}USDT`;
        // The side is that of the position: 'Buy' was a long one.
        const data = events.map(({ at, side, usd, price }) => ({
          T: at,
          s: symbol,
          S: side === 'long' ? 'Buy' : 'Sell',
          v: String(Math.max(0.001, Number((usd / price).toFixed(3)))),
          p: priceText(coin, price),
        }));
        sendJson({ topic: `${TOPIC}${symbol}`, type: 'snapshot', ts: now, data });
      }
    },
  };
}

function bybitFeed(market: Market, path: string): Feed {
  const bySymbol = contractsBy(market, (base) => `${base}USDT`);
  return { path, deep: true, open: (send) => session(market, bySymbol, send) };
}

const CATEGORIES = new Set(['spot', 'linear', 'inverse', 'option']);
/** The market share of this venue. */
const SHARE = 0.16;

const wrap = (retCode: number, retMsg: string, result: object, now: number) => ({
  retCode,
  retMsg,
  result,
  retExtInfo: {},
  time: now,
});

const refuse = (msg: string, now: number) => new ReplyError({ body: wrap(10_001, msg, {}, now) });

function categoryOf({ query, now }: Call): string {
  const category = query.get('category') ?? '';
  if (!CATEGORIES.has(category)) throw refuse('Illegal category', now);
  return category;
}

function ticker(market: Market, symbol: string, coin: Coin, now: number) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const text = (value: number) => priceText(coin, value);
  const tick = Number(priceText(coin, 0).replace(/0$/, '1'));
  const turnover = volumeUsd * SHARE;
  const mark = markAt(market, 'bybit', coin, now);
  const coins = openInterestAt(market, 'bybit', coin, now) / mark;
  return {
    symbol,
    lastPrice: text(price),
    indexPrice: text(price),
    markPrice: text(mark),
    prevPrice24h: text(open),
    price24hPcnt: (price / open - 1).toFixed(6),
    highPrice24h: text(high),
    lowPrice24h: text(low),
    prevPrice1h: text(market.priceAt(coin, now - HOUR)),
    openInterest: coins.toFixed(3),
    openInterestValue: (coins * mark).toFixed(2),
    turnover24h: turnover.toFixed(4),
    volume24h: (turnover / ((high + low) / 2)).toFixed(4),
    fundingRate: fundingAt(market, 'bybit', coin, now).toFixed(8),
    nextFundingTime: String(floorTo(now, FUNDING_INTERVAL_MS) + FUNDING_INTERVAL_MS),
    predictedDeliveryPrice: '',
    basisRate: '',
    deliveryFeeRate: '',
    deliveryTime: '0',
    ask1Size: '1.250',
    bid1Price: text(price - tick),
    ask1Price: text(price + tick),
    bid1Size: '0.840',
    basis: '',
    preOpenPrice: '',
    preQty: '',
    curPreListingPhase: '',
    fundingIntervalHour: '8',
    fundingCap: '0.005',
  };
}

/** Newest first, at most 200. */
function fundingHistory(market: Market, symbol: string, coin: Coin, { query, now }: Call) {
  const [start, end] = [query.get('startTime'), query.get('endTime')];
  if (start && !end) throw refuse('Params Error: startTime without endTime', now);
  const limit = Math.min(Number(query.get('limit')) || 200, 200);
  const oldest = Math.max(MARKET_START, start ? Number(start) : 0);
  const rows: unknown[] = [];
  let at = floorTo(end ? Math.min(Number(end), now) : now, FUNDING_INTERVAL_MS);
  for (; at >= oldest && rows.length < limit; at -= FUNDING_INTERVAL_MS) {
    rows.push({
      symbol,
      fundingRate: String(Number(fundingAt(market, 'bybit', coin, at).toFixed(8))),
      fundingRateTimestamp: String(at),
    });
  }
  return rows;
}

export function bybit(market: Market): Provider {
  const bySymbol = contractsBy(market, (base) => `${base}USDT`);
  const chosen = (call: Call): (readonly [string, Coin])[] => {
    if (categoryOf(call) !== 'linear') return [];
    const symbol = call.query.get('symbol');
    if (!symbol) return [...bySymbol];
    const coin = bySymbol.get(symbol);
    if (!coin) throw refuse('params error: symbol invalid', call.now);
    return [[symbol, coin]];
  };
  return {
    id: 'bybit',
    base: '/bybit',
    env: {
      BYBIT_BASE_URL: { scheme: 'http', path: '/bybit' },
      BYBIT_WS_URL: { scheme: 'ws', path: '/bybit/ws' },
    },
    feed: bybitFeed(market, '/bybit/ws'),
    routes: [
      {
        path: '/v5/market/tickers',
        handle: (call) => {
          const list = chosen(call).map(([symbol, coin]) => ticker(market, symbol, coin, call.now));
          return { body: wrap(0, 'OK', { category: categoryOf(call), list }, call.now) };
        },
      },
      {
        path: '/v5/market/funding/history',
        handle: (call) => {
          if (!call.query.get('symbol')) throw refuse('params error: symbol invalid', call.now);
          const list = chosen(call).flatMap(([symbol, coin]) => fundingHistory(market, symbol, coin, call));
          return { body: wrap(0, 'OK', { category: categoryOf(call), list }, call.now) };
        },
      },
      {
        path: '/v5/market/time',
        handle: ({ now }) => ({
          body: wrap(
            0,
            'OK',
            { timeSecond: String(Math.floor(now / 1000)), timeNano: `${Math.floor(now)}000000` },
            now,
          ),
        }),
      },
    ],
    notFound: { status: 404, body: '404 page not found' },
    rateLimited: wrap(10_006, 'Too many visits. Exceeded the API Rate Limit.', {}, MARKET_START),
    serverError: wrap(10_016, 'Internal Server Error', {}, MARKET_START),
    softError: wrap(10_001, 'Request parameter error', {}, MARKET_START),
    withNulls: (_path, body) => withNulls(body),
  };
}

/** Figures a contract does not currently have are empty strings. */
function withNulls(body: unknown): unknown {
  const { result, ...rest } = body as { result: { list?: object[] } };
  const list = result.list?.map((row, i) =>
    i % 4 === 0 && 'openInterest' in row ? { ...row, openInterestValue: '', fundingRate: '' } : row,
  );
  return { ...rest, result: { ...result, list } };
}
