import type { Dashboard } from '#features/dashboard/contract.ts';
import { composeLayer1 } from '#features/layer1/server/service.ts';
import { TRACKED } from '#features/market/contract.ts';
import type { MetricsView } from '#features/metrics/server/service.ts';
import { composeNarratives } from '#features/narratives/server/service.ts';
import type { DataMode } from '#shared/provenance.ts';

type Parts = Pick<
  Dashboard,
  | 'totals'
  | 'sources'
  | 'lastCollectionTime'
  | 'nextCollectionTime'
  | 'upcomingEvents'
  | 'upcomingCounts'
  | 'aiAnalysis'
  | 'backtestResults'
> & {
  at: Date;
  mode: DataMode;
  prices: Dashboard['cryptoPrices'];
  metrics: MetricsView;
};

/** Lays out what is known at one moment. */
export function assemble({ at, mode, prices, metrics, ...parts }: Parts): Dashboard {
  const { advanced, snapshot } = metrics;
  return {
    timestamp: at.toISOString(),
    dataMode: mode,
    subscriptionStatus: null,
    ...parts,
    cryptoPrices: trackedFirst(prices),
    trendingNarratives: composeNarratives({ snapshot }).narratives,
    advancedMetrics: advanced,
    ...(prices.length > 0 ? { layer1Data: composeLayer1({ prices, snapshot, mode }) } : {}),
  };
}

/** The tracked five lead in their own order, then every coin by market cap. */
function trackedFirst(prices: Dashboard['cryptoPrices']): Dashboard['cryptoPrices'] {
  const ids = new Set<string>(TRACKED.map(({ id }) => id));
  const tracked = [...ids].flatMap((id) => prices.find((coin) => coin.id === id) ?? []);
  return [...tracked, ...prices.filter(({ id }) => !ids.has(id))];
}
