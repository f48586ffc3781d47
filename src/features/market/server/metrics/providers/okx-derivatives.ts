import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { togetherOf } from '#kernel/http/together.ts';
import {
  FUTURES_ASSETS,
  type FuturesAsset,
  figure,
  fundingPast,
  hoursBetween,
  moment,
  per8h,
  type Settled,
  times,
  venueFigure,
} from '../futures.ts';
import type { Ask, MetricSource, Observation } from '../types.ts';

const interest = z.object({
  data: z.array(z.object({ instId: z.string(), oiCcy: figure, oiUsd: figure, ts: moment })),
});
const rates = z.object({
  data: z.array(
    z.object({
      instId: z.string(),
      fundingRate: figure,
      fundingTime: moment,
      nextFundingTime: moment,
      prevFundingTime: moment,
      ts: moment,
    }),
  ),
});
const tickers = z.object({
  data: z.array(z.object({ instId: z.string(), last: figure, volCcy24h: figure, ts: moment })),
});
const settlements = z.object({
  data: z.array(z.object({ instId: z.string(), fundingRate: figure, realizedRate: figure, fundingTime: moment })),
});

const swapOf = (asset: FuturesAsset) => `${asset.toUpperCase()}-USDT-SWAP`;
const assetBySwap = new Map(FUTURES_ASSETS.map((asset) => [swapOf(asset), asset]));
const termsOf = (asset: FuturesAsset) => ({ terms: `${swapOf(asset)}, USDT counted as USD` });
const SWAPS = { instType: 'SWAP' };

/** GET /public/open-interest: contracts, coins and USD; where the USD are missing, coins at our own price. */
async function openInterest(client: SourceClient, { signal, market }: Ask): Promise<Observation[]> {
  const { data } = await client.get('/api/v5/public/open-interest', interest, { query: SWAPS, signal });
  return data.data.flatMap(({ instId, oiCcy, oiUsd, ts }) => {
    const asset = assetBySwap.get(instId);
    if (!asset) return [];
    const detail = termsOf(asset);
    if (oiUsd !== null) return venueFigure('oi', asset, oiUsd, ts, { detail });
    const usd = times(oiCcy, market.priceOf(asset.toUpperCase()));
    return venueFigure('oi', asset, usd, ts, { method: 'computed', detail });
  });
}

/** GET /public/funding-rate: a fraction for the interval that ends at fundingTime. */
async function funding(client: SourceClient, asset: FuturesAsset, signal: AbortSignal): Promise<Observation[]> {
  const query = { instId: swapOf(asset) };
  const { data } = await client.get('/api/v5/public/funding-rate', rates, { query, signal });
  return data.data.flatMap((row) => {
    if (row.instId !== swapOf(asset)) return [];
    const hours =
      hoursBetween(row.prevFundingTime, row.fundingTime) ?? hoursBetween(row.fundingTime, row.nextFundingTime);
    return venueFigure('funding', asset, per8h(row.fundingRate, hours), row.ts, { detail: termsOf(asset) });
  });
}

/** GET /market/tickers of swaps: volCcy24h is in coins. */
async function volume(client: SourceClient, signal: AbortSignal): Promise<Observation[]> {
  const { data } = await client.get('/api/v5/market/tickers', tickers, { query: SWAPS, signal });
  return data.data.flatMap(({ instId, last, volCcy24h, ts }) => {
    const asset = assetBySwap.get(instId);
    return asset ? venueFigure('volume', asset, times(volCcy24h, last), ts, { detail: termsOf(asset) }) : [];
  });
}

const PER_PAGE = 100;
const MAX_PAGES = 4;

/** GET /public/funding-rate-history, newest first, three months of it. */
async function settledRates(client: SourceClient, asset: FuturesAsset, from: Date, { signal }: Ask) {
  const rows: Settled[] = [];
  let after: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: Record<string, string | number> = {
      instId: swapOf(asset),
      limit: PER_PAGE,
      ...(after === null ? {} : { after }),
    };
    const { data } = await client.get('/api/v5/public/funding-rate-history', settlements, { query, signal });
    for (const { fundingRate, realizedRate, fundingTime: at } of data.data) {
      const rate = realizedRate ?? fundingRate;
      if (at && rate !== null) rows.push({ at, rate });
    }
    const oldest = data.data.at(-1)?.fundingTime;
    if (!oldest || oldest <= from || data.data.length < PER_PAGE) break;
    after = oldest.getTime();
  }
  return fundingPast(asset, rows, from, termsOf(asset).terms);
}

/** OKX's USDT-margined perpetual swaps. */
export const okxDerivatives: MetricSource = {
  source: 'okx',
  lane: 'listing',
  read: (client, ask) =>
    togetherOf([
      openInterest(client, ask),
      ...FUTURES_ASSETS.map((asset) => funding(client, asset, ask.signal)),
      volume(client, ask.signal),
    ]),
  past: (client, from, ask) => togetherOf(FUTURES_ASSETS.map((asset) => settledRates(client, asset, from, ask))),
};
