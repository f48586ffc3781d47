import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { checkMoment } from '#features/accounts/server/subscriptions/service.ts';
import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Predictions } from '#features/analysis/server/predictions/service.ts';
import { type SourceHealth, TRACKED } from '#features/market/contract/market.ts';
import { composeLayer1 } from '#features/market/server/layer1/service.ts';
import type { Market, PastMarketView } from '#features/market/server/market/service.ts';
import type { Metrics, MetricsView } from '#features/market/server/metrics/service.ts';
import { composeNarratives } from '#features/market/server/narratives/service.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { PastHealth, SourceSet } from '#kernel/source-set.ts';
import type { Plan } from '#shared/contract.ts';
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

/** Assembles the data known at one moment. */
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

/** The five tracked coins first in their own order, then every coin by market cap. */
function trackedFirst(prices: Dashboard['cryptoPrices']): Dashboard['cryptoPrices'] {
  const ids = new Set<string>(TRACKED.map(({ id }) => id));
  const tracked = [...ids].flatMap((id) => prices.find((coin) => coin.id === id) ?? []);
  return [...tracked, ...prices.filter(({ id }) => !ids.has(id))];
}

/** A stream makes no calls: it counts as up if something of it was stored this recently. */
const UP_WITHIN_MS = 10 * 60_000;

export type AsOfDeps = {
  market: Market;
  metrics: Metrics;
  analysis: Pick<Analysis, 'at'>;
  predictions: Pick<Predictions, 'recordAt'>;
  mode: DataMode;
  now: () => Date;
  nextCollection: (at: Date) => Date | null;
  sources: Pick<SourceSet, 'healthAt'>;
  reads: Reads;
};

/**
 * The dashboard at a past moment, from stored observations; what was not stored is null. The record is the one last
 * scored by then: scoring is too slow for a request.
 */
export async function readDashboardAt(deps: AsOfDeps, moment: Date, plan: Plan | null): Promise<Dashboard> {
  const { market, metrics, analysis, predictions, mode, now, nextCollection, sources, reads } = deps;
  checkMoment(moment, now(), plan);
  const past = (db: Db) => Promise.all([market.over(db).at(moment), metrics.over(db).at(moment)]);
  const [[earlier, view], health, aiAnalysis, record] = await Promise.all([
    reads.answer(past, { fresh: true }),
    sources.healthAt(moment),
    analysis.at(moment),
    predictions.recordAt(moment),
  ]);
  if (!earlier) throw new AppError('not_found', 'No data is stored for that moment');
  const { prices, totals, lastCollectionAt } = earlier;
  const fetched = newestFetches(earlier, view, moment);
  return {
    ...assemble({
      at: moment,
      mode,
      prices,
      totals,
      sources: health.map((source) => withLastSuccess(source, moment, fetched.get(source.id))),
      lastCollectionTime: lastCollectionAt,
      nextCollectionTime: nextCollection(moment)?.toISOString() ?? null,
      metrics: view,
      ...(aiAnalysis ? { aiAnalysis } : {}),
      ...(record ? { backtestResults: record } : {}),
    }),
    subscriptionStatus: plan && { plan, planName: PLAN_NAMES[plan] },
    asOf: moment.toISOString(),
  };
}

/** When each source last provided a stored value, among those fetched by then. */
function newestFetches(
  { lastFetchedBySource }: PastMarketView,
  { snapshot }: MetricsView,
  moment: Date,
): Map<string, number> {
  const all = new Map(lastFetchedBySource);
  for (const row of snapshot.named('').flatMap(snapshot.all)) {
    const at = Date.parse(row.fetched_at);
    if (at <= moment.getTime()) all.set(row.source, Math.max(at, all.get(row.source) ?? 0));
  }
  return all;
}

function withLastSuccess(source: PastHealth, moment: Date, fetchedMs: number | undefined): SourceHealth {
  if (fetchedMs === undefined) return source;
  const lastSuccessAt = new Date(fetchedMs).toISOString();
  const wasUp = source.state === 'unknown' && moment.getTime() - fetchedMs <= UP_WITHIN_MS;
  return wasUp ? { ...source, state: 'ok', note: null, lastSuccessAt } : { ...source, lastSuccessAt };
}
