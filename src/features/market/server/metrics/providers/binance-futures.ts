import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { togetherOf } from '#kernel/http/resilience.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import {
  FUTURES_ASSETS,
  type FuturesAsset,
  figure,
  fundingPast,
  moment,
  per8h,
  type Settled,
  times,
  venueFigure,
} from '../futures.ts';
import type { Ask, MetricSource, Observation } from '../types.ts';

const TOO_MANY = new Set([-1003, -1015]);

export const binanceFutures: SourceDescriptor = {
  id: 'binance-futures',
  name: 'Binance Futures',
  gives: 'Open interest, funding, volume and liquidations of perpetual futures',
  homepage: 'https://www.binance.com/en/futures',
  licence: 'Public market data under the Binance API terms; blocked in some countries',
  attribution: null,
  key: 'none',
  options: ({ BINANCE_FUTURES_BASE_URL }) => ({
    baseUrl: BINANCE_FUTURES_BASE_URL,
    isRegional: true,
    perMinute: 300,
    burst: 40,
    refusal: (body) => {
      const { code, msg } = (body ?? {}) as { code?: unknown; msg?: unknown };
      if (typeof code !== 'number' || code === 200) return null;
      return TOO_MANY.has(code) ? 'rate_limited' : `${code} ${typeof msg === 'string' ? msg : ''}`.trim();
    },
  }),
};

const interest = z.object({ symbol: z.string(), openInterest: figure, time: moment });
const premiums = z.array(z.object({ symbol: z.string(), markPrice: figure, lastFundingRate: figure, time: moment }));
const intervals = z.array(z.object({ symbol: z.string(), fundingIntervalHours: figure }));
const dayTicker = z.object({ symbol: z.string(), quoteVolume: figure, closeTime: moment });
const settlements = z.array(z.object({ symbol: z.string(), fundingRate: figure, fundingTime: moment }));

const symbolOf = (asset: FuturesAsset) => `${asset.toUpperCase()}USDT`;
const termsOf = (asset: FuturesAsset) => `${symbolOf(asset)} perpetual, USDT counted as USD`;
const restOf = (asset: FuturesAsset) => ({ detail: { terms: termsOf(asset) } });

/** Contracts missing from fundingInfo settle every eight hours. */
const USUAL_HOURS = 8;

/**
 * GET /fapi/v1/premiumIndex and, in coins, /fapi/v1/openInterest; funding is a fraction per interval, given by
 * fundingInfo.
 */
async function interestAndFunding(client: SourceClient, signal: AbortSignal): Promise<Observation[]> {
  const premium = await client.get('/fapi/v1/premiumIndex', premiums, { signal });
  const bySymbol = new Map(premium.data.map((row) => [row.symbol, row]));

  async function openInterest(asset: FuturesAsset): Promise<Observation[]> {
    const price = bySymbol.get(symbolOf(asset))?.markPrice ?? null;
    if (price === null) return [];
    const query = { symbol: symbolOf(asset) };
    const { data } = await client.get('/fapi/v1/openInterest', interest, { query, signal });
    return venueFigure('oi', asset, times(data.openInterest, price), data.time, restOf(asset));
  }
  async function funding(): Promise<Observation[]> {
    const { data } = await client.get('/fapi/v1/fundingInfo', intervals, { signal });
    const hoursOf = new Map(data.map((row) => [row.symbol, row.fundingIntervalHours]));
    return FUTURES_ASSETS.flatMap((asset) => {
      const row = bySymbol.get(symbolOf(asset));
      const hours = hoursOf.has(symbolOf(asset)) ? (hoursOf.get(symbolOf(asset)) ?? null) : USUAL_HOURS;
      return row ? venueFigure('funding', asset, per8h(row.lastFundingRate, hours), row.time, restOf(asset)) : [];
    });
  }
  return togetherOf([...FUTURES_ASSETS.map(openInterest), funding()]);
}

/** GET /fapi/v1/ticker/24hr: quoteVolume is in USDT. */
async function volume(client: SourceClient, asset: FuturesAsset, signal: AbortSignal): Promise<Observation[]> {
  const query = { symbol: symbolOf(asset) };
  const { data } = await client.get('/fapi/v1/ticker/24hr', dayTicker, { query, signal });
  return venueFigure('volume', asset, data.quoteVolume, data.closeTime, restOf(asset));
}

const PER_PAGE = 1000;
const MAX_PAGES = 3;
/** A page holds this many days even where funding is settled every four hours. */
const PAGE_MS = 160 * 86_400_000;

/** GET /fapi/v1/fundingRate, oldest first within a window. */
async function settledRates(client: SourceClient, asset: FuturesAsset, from: Date, { now, signal }: Ask) {
  const rows: Settled[] = [];
  let end = now.getTime();
  for (let page = 0; page < MAX_PAGES && end > from.getTime(); page++) {
    const start = Math.max(from.getTime(), end - PAGE_MS);
    const query = { symbol: symbolOf(asset), startTime: start, endTime: end, limit: PER_PAGE };
    const { data } = await client.get('/fapi/v1/fundingRate', settlements, { query, signal });
    for (const { fundingRate: rate, fundingTime: at } of data) if (at && rate !== null) rows.push({ at, rate });
    if (data.length === 0) break;
    end = start - 1;
  }
  return fundingPast(asset, rows, from, termsOf(asset));
}

/** Binance's USDT-margined perpetual futures. */
export const binanceDerivatives: MetricSource = {
  source: 'binance-futures',
  lane: 'listing',
  read: (client, { signal }) =>
    togetherOf([interestAndFunding(client, signal), ...FUTURES_ASSETS.map((asset) => volume(client, asset, signal))]),
  past: (client, from, ask) => togetherOf(FUTURES_ASSETS.map((asset) => settledRates(client, asset, from, ask))),
};
