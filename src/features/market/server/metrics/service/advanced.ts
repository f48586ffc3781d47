import type { AdvancedMetrics, Derivatives, Onchain } from '#features/market/contract/metrics.ts';
import { group, type Snapshot } from '../snapshot.ts';

/** Classes as observed over 314 days of the index. */
export function classifyFear(value: number): string {
  if (value <= 25) return 'Extreme Fear';
  if (value <= 46) return 'Fear';
  if (value <= 54) return 'Neutral';
  return value <= 75 ? 'Greed' : 'Extreme Greed';
}

function classifySeason(value: number | null): AdvancedMetrics['altcoinSeason']['season'] {
  if (value === null) return null;
  if (value >= 75) return 'Altcoin season';
  return value <= 25 ? 'Bitcoin season' : 'Neutral';
}

export function composeDerivatives({ figure }: Snapshot): Derivatives {
  return {
    openInterest: {
      ...group({ value: figure('oi.total') }),
      metadata: group({ btc_oi: figure('oi.btc'), eth_oi: figure('oi.eth') }),
    },
    fundingRate: {
      ...group({ value: figure('funding.market') }),
      metadata: group({ btc_funding: figure('funding.btc'), eth_funding: figure('funding.eth') }),
    },
    liquidations: {
      ...group({ value: figure('liquidations.total') }),
      metadata: group({
        long_liquidations: figure('liquidations.long'),
        short_liquidations: figure('liquidations.short'),
      }),
    },
  };
}

/** Hash rate relative to its 30-day mean: above +3% strong, below −10% weak. */
function health(hashRate: number | null, past: number[]): 'strong' | 'normal' | 'weak' | null {
  if (hashRate === null || past.length < 7) return null;
  const mean = past.reduce((sum, value) => sum + value, 0) / past.length;
  if (hashRate >= mean * 1.03) return 'strong';
  return hashRate < mean * 0.9 ? 'weak' : 'normal';
}

export function composeOnchain({ figure }: Snapshot, hashRates: number[]): Onchain {
  const hashRate = figure('hash_rate');
  return {
    whaleTransactions: {
      ...group({ value: figure('whales.count') }),
      metadata: group({ large_transfers: figure('whales.large'), exchange_deposits: figure('whales.deposits') }),
    },
    hashRate: {
      ...group({ value: hashRate }),
      metadata: {
        ...group({ difficulty: figure('difficulty') }),
        network_health: health(hashRate.value, hashRates),
      },
    },
    activeAddresses: {
      ...group({ value: figure('addresses.btc.active') }),
      metadata: group({
        new_addresses: figure('addresses.btc.new'),
        returning_addresses: figure('addresses.btc.returning'),
      }),
    },
  };
}

/** The advanced metrics as known at the snapshot's moment. */
export function composeAdvanced(snapshot: Snapshot, history: Record<string, number[]>): AdvancedMetrics {
  const { figure, change } = snapshot;
  const sentiment = figure('fear_greed');
  const season = figure('altcoin_season');
  const flow = (asset: 'btc' | 'eth') =>
    group({
      netFlow: figure(`flow.${asset}.net`),
      inflow: figure(`flow.${asset}.in`),
      outflow: figure(`flow.${asset}.out`),
    });
  return {
    timestamp: snapshot.at.toISOString(),
    bitcoinDominance: group({ value: figure('dominance.btc'), change_24h: change('dominance.btc', 'points') }),
    stablecoinMetrics: group({
      totalMarketCap: figure('stablecoins.supply'),
      change_24h: change('stablecoins.supply', 'percent', 'stablecoins.change'),
      ssr: figure('ssr'),
    }),
    exchangeFlows: { btc: flow('btc'), eth: flow('eth') },
    marketSentiment: {
      ...group({ score: sentiment }),
      interpretation: sentiment.value === null ? null : classifyFear(sentiment.value),
    },
    totalMarketCap: group({ value: figure('market.cap'), change_24h: change('market.cap', 'percent') }),
    altcoinSeason: { ...group({ indicator: season }), season: classifySeason(season.value) },
    derivatives: composeDerivatives(snapshot),
    onchain: composeOnchain(snapshot, history['hash_rate'] ?? []),
    history,
  };
}
