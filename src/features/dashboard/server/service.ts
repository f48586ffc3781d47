import type { Analysis } from '#features/analysis/server/service.ts';
import type { Events } from '#features/events/server/service.ts';
import { composeLayer1 } from '#features/layer1/server/service.ts';
import { TRACKED } from '#features/market/contract.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics, MetricsView } from '#features/metrics/server/service.ts';
import { composeNarratives } from '#features/narratives/server/service.ts';
import { type Predictions, summaryOf } from '#features/predictions/server/service.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Dashboard } from '../contract.ts';

export { createPlanDashboards, type PlanDashboards } from './service/plan-dashboards.ts';

type Deps = {
  market: Market;
  metrics: Metrics;
  predictions: Pick<Predictions, 'record'>;
  analysis: Pick<Analysis, 'current'>;
  events: Pick<Events, 'upcoming' | 'counts'>;
  mode: DataMode;
  now: () => Date;
  nextCollection: () => Date | null;
};

/** The dashboard as everyone sees it; `subscriptionStatus` is filled in per plan. */
export function composeDashboard({
  market,
  metrics,
  predictions,
  analysis,
  events,
  mode,
  now,
  nextCollection,
}: Deps): Dashboard {
  const { board } = market.ctx;
  const upcomingEvents = events.upcoming();
  return assemble({
    at: now(),
    mode,
    prices: board.prices(),
    totals: board.totals(),
    sources: market.sources(),
    lastCollectionTime: market.lastCollectionAt(),
    nextCollectionTime: nextCollection()?.toISOString() ?? null,
    metrics: metrics.current(),
    ...(upcomingEvents ? { upcomingEvents, upcomingCounts: events.counts() } : {}),
    ...present(analysis.current()),
    backtestResults: summaryOf(predictions.record()),
  });
}

const present = (aiAnalysis: Dashboard['aiAnalysis'] | null) => (aiAnalysis ? { aiAnalysis } : {});

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

/** What the server draws `/app` from: the tracked coins; the browser fetches the rest. */
export function seedOf(dashboard: Dashboard): Dashboard {
  const ids = new Set<string>(TRACKED.map(({ id }) => id));
  const {
    trendingNarratives: _,
    layer1Data: __,
    advancedMetrics: ___,
    backtestResults: ____,
    aiAnalysis: _____,
    upcomingEvents: ______,
    upcomingCounts: _______,
    ...seed
  } = dashboard;
  return { ...seed, cryptoPrices: dashboard.cryptoPrices.filter(({ id }) => ids.has(id)) };
}
