import type { Coin } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR, MINUTE } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

import {
  categories,
  globalFigures,
  isCategoryOrder,
  marketRow,
  SPANS,
  trending,
  withNulls,
} from './coingecko-overview.ts';

const ORDERS = new Set(['market_cap_asc', 'market_cap_desc', 'volume_asc', 'volume_desc', 'id_asc', 'id_desc']);
const OHLC_DAYS = new Set(['1', '7', '14', '30', '90', '180', '365']);
const MAX_PER_PAGE = 250;
const PUBLIC_DAYS = 365;

const refuse = (status: number, error: unknown) => new ReplyError({ status, body: { error } });

/** Listings are refreshed once a minute. */
const refreshed = ({ now }: Call) => floorTo(now, MINUTE);

function requireUsd({ query }: Call): void {
  const currency = query.get('vs_currency');
  if (!currency) throw refuse(422, 'Missing parameter vs_currency');
  if (currency.toLowerCase() !== 'usd') throw refuse(422, 'invalid vs_currency');
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^\d+$/.test(text) || Number(text) < 1) throw refuse(422, `invalid ${name}`);
  return Number(text);
}

function coinOf(market: Market, { params }: Call): Coin {
  const coin = market.find(params['id'] ?? '');
  if (!coin) throw refuse(404, 'coin not found');
  return coin;
}

function markets(market: Market, call: Call) {
  const { query } = call;
  requireUsd(call);
  const order = query.get('order') || 'market_cap_desc';
  if (!ORDERS.has(order)) throw refuse(422, 'invalid order');
  const now = refreshed(call);
  const perPage = Math.min(MAX_PER_PAGE, wholeNumber(query, 'per_page', 100));
  const page = wholeNumber(query, 'page', 1);
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean);
  const [ids, symbols, spans] = [list('ids'), list('symbols'), list('price_change_percentage')];
  const category = query.get('category');

  const ranking = market.ranking(now);
  const ranks = new Map(ranking.map((coin, i) => [coin, i + 1]));
  const wanted = ranking.filter(
    (coin) =>
      (ids.length === 0 || ids.includes(coin.id)) &&
      (symbols.length === 0 || symbols.includes(coin.symbol)) &&
      (!category || coin.sector === category),
  );
  if (order.startsWith('volume')) {
    const volumes = new Map(wanted.map((coin) => [coin, market.dayStats(coin, now).volumeUsd]));
    wanted.sort((a, b) => (volumes.get(b) ?? 0) - (volumes.get(a) ?? 0));
  } else if (order.startsWith('id')) wanted.sort((a, b) => (a.id < b.id ? 1 : -1));
  if (order.endsWith('_asc')) wanted.reverse();
  return wanted.slice((page - 1) * perPage, page * perPage).map((coin) =>
    marketRow(market, coin, {
      rank: ranks.get(coin) as number,
      now,
      spans: spans.filter((span) => SPANS.has(span)),
      withSparkline: query.get('sparkline') === 'true',
      full: query.get('precision') === 'full',
    }),
  );
}

function listCategories(market: Market, call: Call) {
  const order = call.query.get('order') || 'market_cap_desc';
  if (!isCategoryOrder(order)) throw refuse(422, 'invalid order');
  return categories(market, refreshed(call), order);
}

function daysOf({ query, headers }: Call): number {
  const text = query.get('days');
  if (!text) throw refuse(422, 'Missing parameter days');
  const days = text === 'max' ? Number.POSITIVE_INFINITY : Number(text);
  if (Number.isNaN(days) || days <= 0) throw refuse(422, 'invalid days');
  if (days > PUBLIC_DAYS && headers['x-cg-pro-api-key'] === undefined) {
    throw refuse(401, {
      status: {
        error_code: 10_012,
        error_message: 'Your request exceeds the allowed time range. Historical data is limited to the past 365 days.',
      },
    });
  }
  return Math.min(days, 4000);
}

/** Five-minute points for a day, hourly ones up to 90 days, daily ones above; the last point is the current price. */
function marketChart(market: Market, call: Call) {
  requireUsd(call);
  const coin = coinOf(market, call);
  const days = daysOf(call);
  const interval = call.query.get('interval');
  if (interval && interval !== 'daily' && interval !== 'hourly') throw refuse(422, 'invalid interval');
  const step = interval === 'daily' || days > 90 ? DAY : days > 1 || interval === 'hourly' ? HOUR : 5 * MINUTE;
  const now = refreshed(call);
  const times: number[] = [];
  for (let at = floorTo(now - days * DAY, step) + step; at < now; at += step) times.push(at);
  times.push(now);
  const prices = times.map((at): [number, number] => [at, market.priceAt(coin, at)]);
  return {
    prices,
    market_caps: prices.map(([at, price]) => [at, price * coin.circulatingSupply]),
    total_volumes: times.map((at) => [at, market.candle(coin, at - DAY, at).volumeUsd]),
  };
}

/** [end of the candle, open, high, low, close]; half an hour, four hours or four days each. */
function ohlc(market: Market, call: Call) {
  requireUsd(call);
  const coin = coinOf(market, call);
  const text = call.query.get('days') ?? '';
  if (!OHLC_DAYS.has(text)) throw refuse(422, text ? 'invalid days' : 'Missing parameter days');
  const days = Number(text);
  const stepMs = days === 1 ? 30 * MINUTE : days <= 30 ? 4 * HOUR : 4 * DAY;
  const now = refreshed(call);
  const to = floorTo(now, stepMs);
  return market
    .candles(coin, { stepMs, from: to - days * DAY, to, now })
    .map(({ at, open, high, low, close }) => [at + stepMs, open, high, low, close]);
}

export function coingecko(market: Market): Provider {
  const base = '/coingecko/api/v3';
  return {
    id: 'coingecko',
    base,
    env: { COINGECKO_BASE_URL: { scheme: 'http', path: base } },
    conditional: true,
    routes: [
      { path: '/ping', handle: () => ({ body: { gecko_says: '(V3) To the Moon!' } }) },
      { path: '/coins/markets', handle: (call) => ({ body: markets(market, call) }) },
      { path: '/coins/categories', handle: (call) => ({ body: listCategories(market, call) }) },
      { path: '/coins/:id/market_chart', handle: (call) => ({ body: marketChart(market, call) }) },
      { path: '/coins/:id/ohlc', handle: (call) => ({ body: ohlc(market, call) }) },
      { path: '/global', handle: (call) => ({ body: globalFigures(market, refreshed(call)) }) },
      { path: '/search/trending', handle: (call) => ({ body: trending(market, refreshed(call)) }) },
    ],
    notFound: { status: 404, body: { error: 'Incorrect path. Please check https://docs.coingecko.com' } },
    rateLimited: {
      status: {
        error_code: 429,
        error_message: "You've exceeded the Rate Limit. Please wait, or subscribe to a plan with a higher one.",
      },
    },
    serverError: { status: { error_code: 503, error_message: 'Service temporarily unavailable.' } },
    withNulls: (path, body) => (path === '/coins/markets' ? withNulls(body) : body),
  };
}
