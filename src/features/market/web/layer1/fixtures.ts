import type { Chain, Layer1Data } from '#features/market/contract/layer1.ts';
import { figuresOf, missing, NOON, origin } from '#ui/testing/figures.ts';

const chain = (
  [id, symbol, name, narrative]: readonly [string, string, string, string],
  [price, change, cap, share, volume, tps, addresses]: readonly (number | null)[],
): Chain => ({
  id,
  symbol,
  name,
  narrative,
  ...figuresOf({
    price: [price ?? 0, origin('l1.price')],
    change_24h: [change ?? 0, origin('l1.change')],
    market_cap: [cap ?? 0, origin('l1.cap')],
    dominance: [share ?? 0, origin('l1.dominance', { method: 'computed' })],
    volume_24h: [volume ?? 0, origin('l1.volume')],
    tps: [
      tps ?? null,
      tps == null ? missing('l1.tps', 'Its public node did not answer.') : origin('l1.tps', { source: 'mempool' }),
    ],
    active_addresses: [
      addresses ?? null,
      addresses == null
        ? missing('l1.addresses', 'No free source counts the addresses of this chain.')
        : origin('l1.addresses', {
            source: 'coinmetrics',
            observedMs: NOON - 40_000_000,
            staleAfter: '2026-11-23T00:00:00.000Z',
          }),
    ],
  }),
});

export const layer1: Layer1Data = {
  timestamp: new Date(NOON).toISOString(),
  chains: [
    chain(['bitcoin', 'BTC', 'Bitcoin', 'Store of value'], [97_412.5, 1.84, 1.93e12, 71.2, 4.183e10, 7.1, 912_000]),
    chain(['ethereum', 'ETH', 'Ethereum', 'Smart contracts'], [3284.17, 2.61, 3.956e11, 14.6, 2.241e10, 19.8, 541_000]),
    chain(['solana', 'SOL', 'Solana', 'High throughput'], [214.86, -1.12, 1.042e11, 3.9, 5.92e9, 3412, 4.9e6]),
    chain(['sui', 'SUI', 'Sui', 'Move contracts'], [3.94, 5.37, 1.29e10, 0.5, 1.86e9, 861, null]),
    chain(['ripple', 'XRP', 'XRP Ledger', 'Payments'], [2.18, -0.46, 1.261e11, 4.7, 4.37e9, null, 61_400]),
    chain(['cardano', 'ADA', 'Cardano', 'Proof of stake'], [0.7421, 9.1, 2.6e10, 1.0, 1.2e9, 0.4, 24_800]),
    chain(['avalanche-2', 'AVAX', 'Avalanche', 'Subnets'], [34.12, -2.05, 1.4e10, 0.5, 5.1e8, 4.6, 31_200]),
  ],
  ...figuresOf({
    total_market_cap: [2.71e12, origin('l1.total_cap', { method: 'computed' })],
    total_volume_24h: [7.81e10, origin('l1.total_volume', { method: 'computed' })],
    avg_change_24h: [1.62, origin('l1.avg_change', { method: 'computed' })],
  }),
};
