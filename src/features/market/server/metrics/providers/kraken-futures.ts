import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import { FUTURES_ASSETS, type FuturesAsset, figure, per8h, times, venueFigure } from '../futures.ts';
import type { MetricSource } from '../types.ts';

export const krakenFutures: SourceDescriptor = {
  id: 'kraken-futures',
  name: 'Kraken Futures',
  gives: 'Open interest, funding and volume of perpetual futures',
  homepage: 'https://futures.kraken.com',
  licence: 'Public market data under the Kraken API terms',
  attribution: null,
  key: 'none',
  options: ({ KRAKEN_FUTURES_BASE_URL }) => ({
    baseUrl: KRAKEN_FUTURES_BASE_URL,
    perMinute: 60,
    burst: 5,
    parseError: (body) => {
      const { result, error } = (body ?? {}) as { result?: unknown; error?: unknown };
      if (result !== 'error') return null;
      return error === 'apiLimitExceeded' ? 'rate_limited' : String(error);
    },
  }),
};

const tickers = z.object({
  serverTime: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  tickers: z.array(
    z.object({
      symbol: z.string(),
      markPrice: figure,
      indexPrice: figure,
      openInterest: figure,
      volumeQuote: figure,
      fundingRate: figure,
    }),
  ),
});

const toSymbol = (asset: FuturesAsset) => `PF_${asset === 'btc' ? 'XBT' : asset.toUpperCase()}USD`;
const assetBySymbol = new Map(FUTURES_ASSETS.map((asset) => [toSymbol(asset), asset]));
const fraction = (rate: number | null, price: number | null) =>
  rate === null || price === null || price <= 0 ? null : rate / price;

/**
 * GET /derivatives/api/v3/tickers, linear perpetuals (PF_): open interest in coins, volumeQuote in USD,
 * fundingRate in USD per coin and hour.
 */
export const krakenDerivatives: MetricSource = {
  source: 'kraken-futures',
  lane: 'listing',
  async read(client, { signal }) {
    const { data } = await client.get('/derivatives/api/v3/tickers', tickers, { signal });
    const at = data.serverTime;
    return data.tickers.flatMap((row) => {
      const asset = assetBySymbol.get(row.symbol);
      if (!asset) return [];
      const rest = { detail: { terms: row.symbol } };
      return [
        ...venueFigure('oi', asset, times(row.openInterest, row.markPrice), at, rest),
        ...venueFigure('funding', asset, per8h(fraction(row.fundingRate, row.indexPrice), 1), at, rest),
        ...venueFigure('volume', asset, row.volumeQuote, at, rest),
      ];
    });
  },
};
