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
import type { MetricSource, ReadContext } from '../types.ts';

const TOO_MANY = new Set([10_006, 10_018, 10_429]);

export const bybit: SourceDescriptor = {
  id: 'bybit',
  name: 'Bybit',
  gives: 'Open interest, funding, volume and liquidations of perpetual futures',
  homepage: 'https://www.bybit.com',
  licence: 'Public market data under the Bybit API terms; blocked in some countries',
  attribution: null,
  key: 'none',
  options: ({ BYBIT_BASE_URL }) => ({
    baseUrl: BYBIT_BASE_URL,
    blocksRegions: true,
    perMinute: 300,
    burst: 20,
    parseError: (body) => {
      const { retCode, retMsg } = (body ?? {}) as { retCode?: unknown; retMsg?: unknown };
      if (typeof retCode !== 'number' || retCode === 0) return null;
      return TOO_MANY.has(retCode) ? 'rate_limited' : `${retCode} ${typeof retMsg === 'string' ? retMsg : ''}`.trim();
    },
  }),
};

const tickers = z.object({
  time: moment,
  result: z.object({
    list: z.array(
      z.object({
        symbol: z.string(),
        markPrice: figure,
        openInterest: figure,
        openInterestValue: figure,
        fundingRate: figure,
        fundingIntervalHour: figure,
        turnover24h: figure,
      }),
    ),
  }),
});
const settlements = z.object({
  result: z.object({
    list: z.array(z.object({ symbol: z.string(), fundingRate: figure, fundingRateTimestamp: moment })),
  }),
});

const toSymbol = (asset: FuturesAsset) => `${asset.toUpperCase()}USDT`;
const assetBySymbol = new Map(FUTURES_ASSETS.map((asset) => [toSymbol(asset), asset]));
const describeTerms = (asset: FuturesAsset) => `${toSymbol(asset)} perpetual, USDT counted as USD`;

const PER_PAGE = 200;
const MAX_PAGES = 2;

/** GET /v5/market/funding/history, newest first, paged backwards by endTime. */
async function settledRates(client: SourceClient, asset: FuturesAsset, from: Date, { signal }: ReadContext) {
  const rows: Settled[] = [];
  let endTime: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Record<string, string | number> = {
      category: 'linear',
      symbol: toSymbol(asset),
      limit: PER_PAGE,
      ...(endTime === null ? {} : { endTime }),
    };
    const { data } = await client.get('/v5/market/funding/history', settlements, { query, signal });
    const { list } = data.result;
    for (const { fundingRate: rate, fundingRateTimestamp: at } of list)
      if (at && rate !== null) rows.push({ at, rate });
    const oldest = list.at(-1)?.fundingRateTimestamp;
    if (!oldest || oldest <= from || list.length < PER_PAGE) break;
    endTime = oldest.getTime() - 1;
  }
  return fundingPast(asset, rows, from, describeTerms(asset));
}

/**
 * GET /v5/market/tickers of linear contracts: open interest in coins and USDT, funding a fraction per
 * fundingIntervalHour.
 */
export const bybitDerivatives: MetricSource = {
  source: 'bybit',
  lane: 'listing',
  async read(client, { signal }) {
    const query = { category: 'linear' };
    const { data } = await client.get('/v5/market/tickers', tickers, { query, signal });
    const at = data.time;
    return data.result.list.flatMap((row) => {
      const asset = assetBySymbol.get(row.symbol);
      if (!asset) return [];
      const rest = { detail: { terms: describeTerms(asset) } };
      const usd = row.openInterestValue ?? times(row.openInterest, row.markPrice);
      return [
        ...venueFigure('oi', asset, usd, at, rest),
        ...venueFigure('funding', asset, per8h(row.fundingRate, row.fundingIntervalHour), at, rest),
        ...venueFigure('volume', asset, row.turnover24h, at, rest),
      ];
    });
  },
  past: (client, from, ask) => collectSettled(FUTURES_ASSETS.map((asset) => settledRates(client, asset, from, ask))),
};
