import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { collectSettled } from '#kernel/http/resilience.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { type FuturesAsset, figure, moment, per8h, times, venueFigure } from '../futures.ts';
import type { MetricSource, Observation } from '../types.ts';

const TOO_MANY = 10_028;

export const deribit: SourceDescriptor = {
  id: 'deribit',
  name: 'Deribit',
  gives: 'Open interest, funding and volume of perpetual futures',
  homepage: 'https://www.deribit.com',
  licence: 'Public market data under the Deribit API terms',
  attribution: null,
  key: 'none',
  options: ({ DERIBIT_BASE_URL }) => ({
    baseUrl: DERIBIT_BASE_URL,
    perMinute: 240,
    burst: 12,
    parseError: (body) => {
      const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } | null };
      if (!error) return null;
      return error.code === TOO_MANY ? 'rate_limited' : `${String(error.code)} ${String(error.message)}`;
    },
  }),
};

const ticker = z.object({
  result: z.object({
    instrument_name: z.string(),
    timestamp: moment,
    mark_price: figure,
    open_interest: figure,
    funding_8h: figure,
    stats: z.object({ volume_usd: figure }),
  }),
});

/** Coin-settled contracts report open interest in USD, USDC-settled ones in coins. */
const INSTRUMENTS: { asset: FuturesAsset; name: string; counts: 'usd' | 'coins' }[] = [
  { asset: 'btc', name: 'BTC-PERPETUAL', counts: 'usd' },
  { asset: 'eth', name: 'ETH-PERPETUAL', counts: 'usd' },
  { asset: 'sol', name: 'SOL_USDC-PERPETUAL', counts: 'coins' },
  { asset: 'xrp', name: 'XRP_USDC-PERPETUAL', counts: 'coins' },
];

/** GET /api/v2/public/ticker: funding_8h is a fraction, the total of the last eight hours. */
async function read(
  client: SourceClient,
  { asset, name, counts }: (typeof INSTRUMENTS)[number],
  signal: AbortSignal,
): Promise<Observation[]> {
  const query = { instrument_name: name };
  const { result } = (await client.get('/api/v2/public/ticker', ticker, { query, signal })).data;
  if (result.instrument_name !== name) return [];
  const rest = { detail: { terms: counts === 'usd' ? name : `${name}, USDC counted as USD` } };
  const usd = counts === 'usd' ? result.open_interest : times(result.open_interest, result.mark_price);
  return [
    ...venueFigure('oi', asset, usd, result.timestamp, rest),
    ...venueFigure('funding', asset, per8h(result.funding_8h, 8), result.timestamp, rest),
    ...venueFigure('volume', asset, result.stats.volume_usd, result.timestamp, rest),
  ];
}

export const deribitDerivatives: MetricSource = {
  source: 'deribit',
  lane: 'listing',
  read: (client, { signal }) => collectSettled(INSTRUMENTS.map((instrument) => read(client, instrument, signal))),
};
