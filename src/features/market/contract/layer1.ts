import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { figures } from '#shared/figures.ts';

/**
 * Price and cap in USD, change and dominance (share of these chains' caps) in percent, transactions per second,
 * addresses per day.
 */
export const chain = figures(
  ['price', 'change_24h', 'market_cap', 'dominance', 'volume_24h', 'tps', 'active_addresses'],
  {
    id: z.string(),
    symbol: z.string(),
    name: z.string(),
    /** Main use of the chain in one or two words: 'Store of value'. */
    narrative: z.string(),
  },
);
export type Chain = z.infer<typeof chain>;

export const layer1Data = figures(['total_market_cap', 'total_volume_24h', 'avg_change_24h'], {
  timestamp: z.iso.datetime(),
  chains: z.array(chain),
});
export type Layer1Data = z.infer<typeof layer1Data>;

export const getLayer1Data = endpoint({
  method: 'GET',
  path: '/api/layer1-data',
  access: 'public',
  reply: layer1Data,
});
