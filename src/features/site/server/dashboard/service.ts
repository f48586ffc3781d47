import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import { type Predictions, toSummary } from '#features/analysis/server/predictions/service.ts';
import type { Events } from '#features/events/server/service.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import type { AppView, Dashboard } from '#features/site/contract/dashboard.ts';
import type { DataMode } from '#shared/provenance.ts';
import { assemble } from './service/as-of.ts';

export { readDashboardAt } from './service/as-of.ts';
export { briefSection, buildBrief } from './service/brief.ts';
export { createPlanDashboards } from './service/plan-dashboards.ts';

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

/** The common dashboard; `subscriptionStatus` is filled in per plan. */
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
    backtestResults: toSummary(predictions.record()),
  });
}

const present = (aiAnalysis: Dashboard['aiAnalysis'] | null) => (aiAnalysis ? { aiAnalysis } : {});

/** Data for rendering `/app` on the server: the tracked coins; the browser fetches the rest. */
export function toSeed(dashboard: Dashboard): Dashboard {
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

/** The part of the first view that is rendered without sending its data. */
export const toAppView = ({ aiAnalysis, backtestResults }: Dashboard): AppView => ({
  ...(aiAnalysis ? { aiAnalysis } : {}),
  ...(backtestResults ? { backtestResults } : {}),
});
