import type { AdvancedMetrics } from '#features/market/contract/metrics.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { figuresOf, missing, NOON, origin } from '#ui/testing/figures.ts';

const wave = (from: number, to: number, swing: number): number[] =>
  Array.from({ length: 30 }, (_, i) => from + ((to - from) * i) / 29 + Math.sin(i * 1.3) * swing);

const computed = (metric: string, change: Parameters<typeof origin>[1] = {}) =>
  origin(metric, { method: 'computed', ...change });

const NO_FLOWS = 'Exchange flows need a Glassnode key; no free source gives them.';

const flows = (asset: 'btc' | 'eth', ...values: number[]) => {
  const figure = (i: number, name: string): [number | null, FigureMeta] => {
    const metric = `flow.${asset}.${name}`;
    return [
      values[i] ?? null,
      values[i] === undefined ? missing(metric, NO_FLOWS) : origin(metric, { method: 'demo' }),
    ];
  };
  return figuresOf({ netFlow: figure(0, 'net'), inflow: figure(1, 'in'), outflow: figure(2, 'out') });
};

export const metrics: AdvancedMetrics = {
  timestamp: new Date(NOON).toISOString(),
  bitcoinDominance: figuresOf({
    value: [56.3, computed('dominance.btc', { terms: 'BTC market cap $1.93T ÷ total market cap $3.42T' })],
    change_24h: [-0.31, computed('dominance.btc')],
  }),
  stablecoinMetrics: figuresOf({
    totalMarketCap: [3.314e11, origin('stablecoins.supply', { source: 'defillama' })],
    change_24h: [0.21, origin('stablecoins.change', { source: 'defillama' })],
    ssr: [5.82, computed('ssr', { terms: 'BTC market cap $1.93T ÷ supply $331.4B' })],
  }),
  exchangeFlows: { btc: flows('btc', -14_200, 31_100, 45_300), eth: flows('eth', 8300, 91_000, 82_700) },
  marketSentiment: {
    ...figuresOf({
      score: [71, origin('fear_greed', { source: 'alternative', staleAfter: '2026-11-22T12:00:00.000Z' })],
    }),
    interpretation: 'Greed',
  },
  totalMarketCap: figuresOf({ value: [3.42e12, computed('market.cap')], change_24h: [1.31, computed('market.cap')] }),
  altcoinSeason: {
    ...figuresOf({ indicator: [38, computed('altcoin_season', { historyDays: 12 })] }),
    season: 'Neutral',
  },
  derivatives: {
    openInterest: {
      ...figuresOf({ value: [1.184e11, computed('oi.total', { venues: ['binance', 'okx', 'bybit'] })] }),
      metadata: figuresOf({ btc_oi: [6.21e10, computed('oi.btc')], eth_oi: [3.17e10, computed('oi.eth')] }),
    },
    fundingRate: {
      ...figuresOf({ value: [0.0092, computed('funding.market')] }),
      metadata: figuresOf({
        btc_funding: [0.0088, computed('funding.btc')],
        eth_funding: [0.0104, computed('funding.eth')],
      }),
    },
    liquidations: {
      ...figuresOf({ value: [3.323e8, computed('liquidations.total', { collectedHours: 7 })] }),
      metadata: figuresOf({
        long_liquidations: [1.284e8, computed('liquidations.long', { collectedHours: 7 })],
        short_liquidations: [2.039e8, computed('liquidations.short', { collectedHours: 7 })],
      }),
    },
  },
  onchain: {
    whaleTransactions: {
      ...figuresOf({ value: [1284, origin('whales.count', { source: 'blockchair' })] }),
      metadata: figuresOf({
        large_transfers: [972, origin('whales.large', { source: 'blockchair' })],
        exchange_deposits: [312, origin('whales.deposits', { source: 'blockchair' })],
      }),
    },
    hashRate: {
      ...figuresOf({ value: [1.142e21, origin('hash_rate', { source: 'mempool' })] }),
      metadata: {
        ...figuresOf({ difficulty: [1.52e14, origin('difficulty', { source: 'mempool' })] }),
        network_health: 'strong',
      },
    },
    activeAddresses: {
      ...figuresOf({ value: [912_000, origin('addresses.btc.active', { source: 'coinmetrics' })] }),
      metadata: figuresOf({
        new_addresses: [341_000, origin('addresses.btc.new', { source: 'coinmetrics' })],
        returning_addresses: [571_000, computed('addresses.btc.returning', { source: 'coinmetrics' })],
      }),
    },
  },
  history: {
    'dominance.btc': wave(57.9, 56.3, 0.25),
    'market.cap': wave(3.1e12, 3.42e12, 4e10),
    fear_greed: wave(52, 71, 5),
    hash_rate: wave(1.04e21, 1.142e21, 2e19),
  },
};

/** As on a live installation without paid keys. */
export const metricsWithGaps: AdvancedMetrics = {
  ...metrics,
  exchangeFlows: { btc: flows('btc'), eth: flows('eth') },
};

/** Removes every number, each with a reason. */
export function emptied<T>(payload: T): T {
  if (payload === null || typeof payload !== 'object') return payload;
  if (Array.isArray(payload)) return payload.map((item: unknown) => emptied(item)) as T;
  const source = payload as Record<string, unknown>;
  const meta = source['meta'] as Record<string, FigureMeta> | undefined;
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => {
      if (key === 'history') return [key, {}];
      if (key === 'meta' && meta)
        return [
          key,
          Object.fromEntries(
            Object.entries(meta).map(([name, { metric }]) => [name, missing(metric, 'Not collected yet.')]),
          ),
        ];
      if (meta && key in meta) return [key, null];
      return [key, emptied(value)];
    }),
  ) as T;
}
