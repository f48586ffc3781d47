import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';

import { FUTURES_ASSETS, type FuturesAsset, figure } from '../futures.ts';
import type { ForcedClose } from '../types.ts';
import { type ContractSizes, okxCloses, okxOrders } from './forced-closes.ts';

const instruments = z.object({
  data: z.array(z.object({ instId: z.string(), ctVal: figure, ctMult: figure, ctValCcy: z.string() })),
});

/** GET /public/instruments: what one contract of each USDT swap holds, in coins. */
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

const PER_PAGE = 100;
const MAX_PAGES = 30;
const HOUR_MS = 3_600_000;
const nextHour = (ms: number) => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS + HOUR_MS);

export type PastCloses = {
  closes: ForcedClose[];
  /** The hour from which on the answer holds every close; before it, nothing is known. */
  wholeFrom: Date;
};

/**
 * GET /public/liquidation-orders of every asset, newest first, back to the hour `from` or as far as the venue tells:
 * where its memory ends it does not say, so that only its oldest word shows how far it reaches. Undefined when it tells none.
 */
export async function okxPastCloses(
  client: SourceClient,
  from: Date,
  sizes: ContractSizes,
  signal: AbortSignal,
): Promise<PastCloses | undefined> {
  const all = await Promise.all([...sizes.keys()].map((asset) => pastOf(client, asset, from, sizes, signal)));
  const closes = all.flatMap((each) => each.closes);
  if (closes.length === 0) return undefined;
  const oldest = Math.min(...closes.map(({ at }) => at.getTime()));
  const cuts = all.flatMap(({ cutAt }) => (cutAt ? [nextHour(cutAt.getTime()).getTime()] : []));
  const reach = oldest <= from.getTime() ? from : nextHour(oldest);
  const wholeFrom = new Date(Math.max(reach.getTime(), ...cuts));
  return { closes: closes.filter(({ at }) => at >= wholeFrom), wholeFrom };
}

async function pastOf(
  client: SourceClient,
  asset: FuturesAsset,
  from: Date,
  sizes: ContractSizes,
  signal: AbortSignal,
): Promise<{ closes: ForcedClose[]; cutAt: Date | null }> {
  const closes: ForcedClose[] = [];
  let after: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
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
