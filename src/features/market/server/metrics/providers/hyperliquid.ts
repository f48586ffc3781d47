import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import { FUTURES_ASSETS, figure, per8h, times, venueFigure } from '../futures.ts';
import type { MetricSource } from '../types.ts';

export const hyperliquid: SourceDescriptor = {
  id: 'hyperliquid',
  name: 'Hyperliquid',
  gives: 'Open interest, funding and volume of perpetual futures',
  homepage: 'https://hyperliquid.xyz',
  licence: 'Public market data of an open protocol',
  attribution: null,
  key: 'none',
  options: ({ HYPERLIQUID_BASE_URL }) => ({ baseUrl: HYPERLIQUID_BASE_URL, perMinute: 60, burst: 5 }),
};

const answer = z
  .tuple([
    z.object({ universe: z.array(z.object({ name: z.string(), isDelisted: z.boolean().optional() })) }),
    z.array(z.object({ funding: figure, openInterest: figure, markPx: figure, dayNtlVlm: figure })),
  ])
  .refine(([{ universe }, contexts]) => universe.length === contexts.length, 'names and figures differ in number');

const assetByName = new Map(FUTURES_ASSETS.map((asset) => [asset.toUpperCase(), asset]));

/**
 * POST /info metaAndAssetCtxs: names and figures in the same order; open interest in coins, funding a fraction per
 * hour. Without timestamps.
 */
export const hyperliquidDerivatives: MetricSource = {
  source: 'hyperliquid',
  lane: 'listing',
  async read(client, { signal }) {
    const { data, fetchedAt } = await client.post('/info', { type: 'metaAndAssetCtxs' }, answer, { signal });
    const [{ universe }, contexts] = data;
    return universe.flatMap(({ name, isDelisted }, i) => {
      const asset = assetByName.get(name);
      const row = contexts[i];
      if (!asset || !row || isDelisted) return [];
      const rest = { detail: { terms: `${name} perpetual, USDC counted as USD` } };
      return [
        ...venueFigure('oi', asset, times(row.openInterest, row.markPx), fetchedAt, rest),
        ...venueFigure('funding', asset, per8h(row.funding, 1), fetchedAt, rest),
        ...venueFigure('volume', asset, row.dayNtlVlm, fetchedAt, rest),
      ];
    });
  },
};
