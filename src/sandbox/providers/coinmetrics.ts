import { activityAt } from '#sandbox/market/activity.ts';
import { addressesOn } from '#sandbox/market/bitcoin-chain.ts';
import { EXCHANGES, type FlowAsset, flowsOf } from '#sandbox/market/flows.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

const BASE = '/coinmetrics';
const PATH = '/v4/timeseries/asset-metrics';
const ASSETS: Readonly<Record<string, FlowAsset>> = { btc: 'bitcoin', eth: 'ethereum' };
/** A day is published some hours after its end. */
const LATE = 5 * HOUR;
const ETHEREUM_ADDRESSES = 520_000;

type Figure = (market: Market, asset: FlowAsset, day: number) => number;

const flow =
  (way: 'inflow' | 'outflow'): Figure =>
  (market, asset, day) =>
    flowsOf(market).grossOn(asset, day)[way];
const closeOf: Figure = (market, asset, day) => market.priceAt(asset, (day + 1) * DAY);
const inUsd =
  (figure: Figure): Figure =>
  (market, asset, day) =>
    figure(market, asset, day) * closeOf(market, asset, day);

const METRICS: Readonly<Record<string, Figure>> = {
  FlowInExNtv: flow('inflow'),
  FlowOutExNtv: flow('outflow'),
  FlowInExUSD: inUsd(flow('inflow')),
  FlowOutExUSD: inUsd(flow('outflow')),
  SplyExNtv: (market, asset, day) =>
    EXCHANGES.reduce((sum, exchange) => sum + flowsOf(market).reserveAt(exchange, asset, (day + 1) * DAY), 0),
  PriceUSD: closeOf,
  AdrActCnt: (market, asset, day) =>
    asset === 'bitcoin'
      ? Math.round(1.45 * addressesOn(market, day))
      : Math.round(ETHEREUM_ADDRESSES * activityAt(market, 'ethereum', day * DAY)),
};

const refuse = (status: number, type: string, message: string) =>
  new ReplyError({ status, body: { error: { type, message } } });

const bad = (name: string, why: string) => refuse(400, 'bad_parameter', `Bad parameter '${name}'. ${why}`);

const listOf = (query: URLSearchParams, name: string) => (query.get(name) ?? '').split(',').filter(Boolean);

function dayOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (!text) return fallback;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw bad(name, `Incorrect time format '${text}'.`);
  return Math.floor(ms / DAY);
}

function checked({ query }: Call): { assets: string[]; metrics: string[]; size: number } {
  const [assets, metrics] = [listOf(query, 'assets'), listOf(query, 'metrics')];
  for (const [name, list] of Object.entries({ assets, metrics })) {
    if (list.length === 0) throw bad(name, 'Parameter is required.');
  }
  const strange = assets.find((asset) => !Object.hasOwn(ASSETS, asset));
  if (strange) throw bad('assets', `Value '${strange}' is not supported.`);
  const paid = metrics.find((metric) => !Object.hasOwn(METRICS, metric));
  if (paid) {
    const message = `Requested metric '${paid}' with frequency '1d' for asset '${assets[0]}' is not available with supplied credentials.`;
    throw refuse(403, 'forbidden', message);
  }
  if ((query.get('frequency') ?? '1d') !== '1d')
    throw refuse(403, 'forbidden', 'Requested frequency is not available.');
  const size = Number(query.get('page_size') ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > 10_000) throw bad('page_size', 'Supported range is [1, 10000].');
  return { assets, metrics, size };
}

/** By asset, then by time; the last page is returned first unless the start is requested. */
function assetMetrics(market: Market, call: Call) {
  const { query, now, headers } = call;
  const { assets, metrics, size } = checked(call);
  const last = Math.min(dayOf(query, 'end_time', Number.POSITIVE_INFINITY), Math.floor((now - LATE) / DAY) - 1);
  const first = Math.max(dayOf(query, 'start_time', 0), MARKET_START / DAY);
  const days = Math.max(0, last - first + 1);
  const total = days * assets.length;
  const page = Number(query.get('next_page_token') ?? 0);
  const fromStart = query.get('paging_from') === 'start';
  const start = fromStart ? page * size : Math.max(0, total - (page + 1) * size);
  const end = fromStart ? Math.min(total, start + size) : total - page * size;
  const data = Array.from({ length: Math.max(0, end - start) }, (_, i) => {
    const asset = assets[Math.floor((start + i) / days)] ?? '';
    const day = first + ((start + i) % days);
    const figure = (metric: string) => String(METRICS[metric]?.(market, ASSETS[asset] as FlowAsset, day));
    const time = `${new Date(day * DAY).toISOString().slice(0, 19)}.000000000Z`;
    return { asset, time, ...Object.fromEntries(metrics.map((metric) => [metric, figure(metric)])) };
  });
  if (fromStart ? end >= total : start === 0) return { data };
  const next = new URLSearchParams(query);
  next.set('next_page_token', String(page + 1));
  const next_page_url = `http://${String(headers['host'])}${BASE}${PATH}?${next.toString()}`;
  return { data, next_page_token: String(page + 1), next_page_url };
}

export function coinmetrics(market: Market): Provider {
  const failed = (type: string, message: string) => ({ error: { type, message } });
  return {
    id: 'coinmetrics',
    base: BASE,
    env: { COINMETRICS_BASE_URL: { scheme: 'http', path: BASE } },
    routes: [{ path: PATH, handle: (call) => ({ body: assetMetrics(market, call) }) }],
    notFound: { status: 404, body: failed('not_found', 'Not found') },
    rateLimited: failed('too_many_requests', 'Too many requests.'),
    serverError: failed('internal_error', 'Internal server error.'),
    withNulls: (_path, body) => {
      const { data, ...rest } = body as { data?: Record<string, unknown>[] };
      const emptied = data?.map((row, i) =>
        i % 4 === 3 ? { asset: row['asset'], time: row['time'], FlowInExNtv: null } : row,
      );
      return { ...rest, data: emptied };
    },
  };
}
