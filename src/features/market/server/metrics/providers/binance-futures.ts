import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { collectSettled } from '#kernel/http/resilience.ts';
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
import type { MetricSource, Observation, ReadContext } from '../types.ts';

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
    blocksRegions: true,
    perMinute: 300,
    burst: 40,
    parseError: (body) => {
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

const toSymbol = (asset: FuturesAsset) => `${asset.toUpperCase()}USDT`;
const describeTerms = (asset: FuturesAsset) => `${toSymbol(asset)} perpetual, USDT counted as USD`;
const sharedFields = (asset: FuturesAsset) => ({ detail: { terms: describeTerms(asset) } });

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
    const price = bySymbol.get(toSymbol(asset))?.markPrice ?? null;
    if (price === null) return [];
    const query = { symbol: toSymbol(asset) };
    const { data } = await client.get('/fapi/v1/openInterest', interest, { query, signal });
    return venueFigure('oi', asset, times(data.openInterest, price), data.time, sharedFields(asset));
  }
  async function funding(): Promise<Observation[]> {
    const { data } = await client.get('/fapi/v1/fundingInfo', intervals, { signal });
    const hoursOf = new Map(data.map((row) => [row.symbol, row.fundingIntervalHours]));
    return FUTURES_ASSETS.flatMap((asset) => {
      const row = bySymbol.get(toSymbol(asset));
      const hours = hoursOf.has(toSymbol(asset)) ? (hoursOf.get(toSymbol(asset)) ?? null) : USUAL_HOURS;
      return row ? venueFigure('funding', asset, per8h(row.lastFundingRate, hours), row.time, sharedFields(asset)) : [];
    });
  }
  return collectSettled([...FUTURES_ASSETS.map(openInterest), funding()]);
}

/** GET /fapi/v1/ticker/24hr: quoteVolume is in USDT. */
async function volume(client: SourceClient, asset: FuturesAsset, signal: AbortSignal): Promise<Observation[]> {
  const query = { symbol: toSymbol(asset) };
  const { data } = await client.get('/fapi/v1/ticker/24hr', dayTicker, { query, signal });
  return venueFigure('volume', asset, data.quoteVolume, data.closeTime, sharedFields(asset));
}

const PER_PAGE = 1000;
const MAX_PAGES = 3;
/** A page holds this many days even where funding is settled every four hours. */
const PAGE_MS = 160 * 86_400_000;

/** GET /fapi/v1/fundingRate, oldest first within a window. */
async function settledRates(client: SourceClient, asset: FuturesAsset, from: Date, { now, signal }: ReadContext) {
  const rows: Settled[] = [];
  let end = now.getTime();
  for (let page = 0; page < MAX_PAGES && end > from.getTime(); page++) {
    const start = Math.max(from.getTime(), end - PAGE_MS);
    const query = { symbol: toSymbol(asset), startTime: start, endTime: end, limit: PER_PAGE };
    const { data } = await client.get('/fapi/v1/fundingRate', settlements, { query, signal });
    for (const { fundingRate: rate, fundingTime: at } of data) if (at && rate !== null) rows.push({ at, rate });
    if (data.length === 0) break;
    end = start - 1;
  }
  return fundingPast(asset, rows, from, describeTerms(asset));
}

/** Binance's USDT-margined perpetual futures. */
export const binanceDerivatives: MetricSource = {
  source: 'binance-futures',
  lane: 'listing',
  read: (client, { signal }) =>
    collectSettled([
      interestAndFunding(client, signal),
      ...FUTURES_ASSETS.map((asset) => volume(client, asset, signal)),
    ]),
  past: (client, from, ask) => collectSettled(FUTURES_ASSETS.map((asset) => settledRates(client, asset, from, ask))),
};
