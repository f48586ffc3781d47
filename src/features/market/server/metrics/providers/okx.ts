import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { collectSettled } from '#kernel/http/resilience.ts';

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
import type { ForcedClose, MetricSource, Observation, ReadContext } from '../types.ts';
import { type ContractSizes, okxCloses, okxOrders } from './forced-closes.ts';

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

const toSwapId = (asset: FuturesAsset) => `${asset.toUpperCase()}-USDT-SWAP`;
const assetBySwap = new Map(FUTURES_ASSETS.map((asset) => [toSwapId(asset), asset]));
const describeTerms = (asset: FuturesAsset) => ({ terms: `${toSwapId(asset)}, USDT counted as USD` });
const SWAPS = { instType: 'SWAP' };

/** GET /public/open-interest: contracts, coins and USD; without USD, coins at our own price. */
async function openInterest(client: SourceClient, { signal, market }: ReadContext): Promise<Observation[]> {
  const { data } = await client.get('/api/v5/public/open-interest', interest, { query: SWAPS, signal });
  return data.data.flatMap(({ instId, oiCcy, oiUsd, ts }) => {
    const asset = assetBySwap.get(instId);
    if (!asset) return [];
    const detail = describeTerms(asset);
    if (oiUsd !== null) return venueFigure('oi', asset, oiUsd, ts, { detail });
    const usd = times(oiCcy, market.priceOf(asset.toUpperCase()));
    return venueFigure('oi', asset, usd, ts, { method: 'computed', detail });
  });
}

/** GET /public/funding-rate: a fraction for the interval that ends at fundingTime. */
async function funding(client: SourceClient, asset: FuturesAsset, signal: AbortSignal): Promise<Observation[]> {
  const query = { instId: toSwapId(asset) };
  const { data } = await client.get('/api/v5/public/funding-rate', rates, { query, signal });
  return data.data.flatMap((row) => {
    if (row.instId !== toSwapId(asset)) return [];
    const hours =
      hoursBetween(row.prevFundingTime, row.fundingTime) ?? hoursBetween(row.fundingTime, row.nextFundingTime);
    return venueFigure('funding', asset, per8h(row.fundingRate, hours), row.ts, { detail: describeTerms(asset) });
  });
}

/** GET /market/tickers of swaps: volCcy24h is in coins. */
async function volume(client: SourceClient, signal: AbortSignal): Promise<Observation[]> {
  const { data } = await client.get('/api/v5/market/tickers', tickers, { query: SWAPS, signal });
  return data.data.flatMap(({ instId, last, volCcy24h, ts }) => {
    const asset = assetBySwap.get(instId);
    return asset ? venueFigure('volume', asset, times(volCcy24h, last), ts, { detail: describeTerms(asset) }) : [];
  });
}

const PER_PAGE = 100;
const MAX_DERIVATIVE_PAGES = 4;

/** GET /public/funding-rate-history, newest first, three months of it. */
async function settledRates(client: SourceClient, asset: FuturesAsset, from: Date, { signal }: ReadContext) {
  const rows: Settled[] = [];
  let after: number | null = null;
  for (let page = 0; page < MAX_DERIVATIVE_PAGES; page++) {
    const query: Record<string, string | number> = {
      instId: toSwapId(asset),
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
  return fundingPast(asset, rows, from, describeTerms(asset).terms);
}

/** OKX's USDT-margined perpetual swaps. */
export const okxDerivatives: MetricSource = {
  source: 'okx',
  lane: 'listing',
  read: (client, ask) =>
    collectSettled([
      openInterest(client, ask),
      ...FUTURES_ASSETS.map((asset) => funding(client, asset, ask.signal)),
      volume(client, ask.signal),
    ]),
  past: (client, from, ask) => collectSettled(FUTURES_ASSETS.map((asset) => settledRates(client, asset, from, ask))),
};

const instruments = z.object({
  data: z.array(z.object({ instId: z.string(), ctVal: figure, ctMult: figure, ctValCcy: z.string() })),
});

/** GET /public/instruments: coins per contract of each USDT swap. */
export async function okxContractSizes(client: SourceClient, signal: AbortSignal): Promise<ContractSizes> {
  const { data } = await client.get('/api/v5/public/instruments', instruments, { query: { instType: 'SWAP' }, signal });
  const sizes = new Map<FuturesAsset, number>();
  for (const { instId, ctVal, ctMult, ctValCcy } of data.data) {
    const asset = FUTURES_ASSETS.find((each) => instId === `${each.toUpperCase()}-USDT-SWAP`);
    if (asset && ctVal !== null && ctVal > 0 && ctValCcy === asset.toUpperCase())
      sizes.set(asset, ctVal * (ctMult ?? 1));
  }
  return sizes;
}

const MAX_LIQUIDATION_PAGES = 30;
const HOUR_MS = 3_600_000;
const nextHour = (ms: number) => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS + HOUR_MS);

export type PastCloses = {
  closes: ForcedClose[];
  /** From this hour on the response has every liquidation; before it, nothing is known. */
  wholeFrom: Date;
};

/**
 * GET /public/liquidation-orders of every asset, newest first, back to the hour `from` or as far as the venue goes: it
 * does not report its limit, so only its oldest row shows how far it reaches. Undefined when it returns none.
 */
export async function okxPastCloses(
  client: SourceClient,
  from: Date,
  sizes: ContractSizes,
  signal: AbortSignal,
): Promise<PastCloses | undefined> {
  const all = await Promise.all([...sizes.keys()].map((asset) => toPastCloses(client, asset, from, sizes, signal)));
  const closes = all.flatMap((each) => each.closes);
  if (closes.length === 0) return undefined;
  const oldest = Math.min(...closes.map(({ at }) => at.getTime()));
  const cuts = all.flatMap(({ cutAt }) => (cutAt ? [nextHour(cutAt.getTime()).getTime()] : []));
  const reach = oldest <= from.getTime() ? from : nextHour(oldest);
  const wholeFrom = new Date(Math.max(reach.getTime(), ...cuts));
  return { closes: closes.filter(({ at }) => at >= wholeFrom), wholeFrom };
}

async function toPastCloses(
  client: SourceClient,
  asset: FuturesAsset,
  from: Date,
  sizes: ContractSizes,
  signal: AbortSignal,
): Promise<{ closes: ForcedClose[]; cutAt: Date | null }> {
  const closes: ForcedClose[] = [];
  let after: number | null = null;
  for (let page = 0; page < MAX_LIQUIDATION_PAGES; page++) {
    const query = {
      instType: 'SWAP',
      state: 'filled',
      uly: `${asset.toUpperCase()}-USDT`,
      limit: PER_PAGE,
      ...(after === null ? {} : { after }),
    };
    const { data } = await client.get('/api/v5/public/liquidation-orders', okxOrders, { query, signal });
    closes.push(...okxCloses(data, sizes));
    const times = data.data.flatMap(({ details }) => details.flatMap(({ ts }) => (ts ? [ts.getTime()] : [])));
    const oldest = Math.min(...times);
    if (times.length < PER_PAGE || oldest <= from.getTime()) return { closes, cutAt: null };
    if (after !== null && oldest >= after) break;
    after = oldest;
  }
  return { closes, cutAt: after === null ? null : new Date(after) };
}
