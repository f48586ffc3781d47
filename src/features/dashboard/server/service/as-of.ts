import type { Analysis } from '#features/analysis/server/service.ts';
import type { Dashboard } from '#features/dashboard/contract.ts';
import type { SourceHealth } from '#features/market/contract.ts';
import type { EarlierMarket, Market } from '#features/market/server/service.ts';
import type { Metrics, MetricsView } from '#features/metrics/server/service.ts';
import type { Predictions } from '#features/predictions/server/service.ts';
import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { checkMoment } from '#features/subscriptions/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Reads } from '#server/platform/reads/reads.ts';
import type { EarlierHealth, SourceSet } from '#server/platform/source-set.ts';
import type { Plan } from '#shared/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import { assemble } from './assemble.ts';

/** A stream makes no calls: it was up when something of it was stored this shortly before. */
const HEARD_WITHIN_MS = 10 * 60_000;

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
 * The dashboard as it stood at an earlier moment, from stored observations; what was not stored is null. The record is the
 * one that was scored last by then: scoring is not a request's work.
 */
export async function readDashboardAt(deps: AsOfDeps, moment: Date, plan: Plan | null): Promise<Dashboard> {
  const { market, metrics, analysis, predictions, mode, now, nextCollection, sources, reads } = deps;
  checkMoment(moment, now(), plan);
  const past = (db: Db) => Promise.all([market.over(db).at(moment), metrics.over(db).at(moment)]);
  const [[earlier, view], health, said, record] = await Promise.all([
    reads.answer(past, { fresh: true }),
    sources.healthAt(moment),
    analysis.at(moment),
    predictions.recordAt(moment),
  ]);
  if (!earlier) throw new AppError('not_found', 'Nothing is stored of that moment');
  const { prices, totals, lastCollectionAt } = earlier;
  const heard = lastHeard(earlier, view, moment);
  return {
    ...assemble({
      at: moment,
      mode,
      prices,
      totals,
      sources: health.map((source) => withHeard(source, moment, heard.get(source.id))),
      lastCollectionTime: lastCollectionAt,
      nextCollectionTime: nextCollection(moment)?.toISOString() ?? null,
      metrics: view,
      ...(said ? { aiAnalysis: said } : {}),
      ...(record ? { backtestResults: record } : {}),
    }),
    subscriptionStatus: plan && { plan, planName: PLAN_NAMES[plan] },
    asOf: moment.toISOString(),
  };
}

/** When each source last gave something that is stored, of what had been fetched by then. */
function lastHeard({ heard }: EarlierMarket, { snapshot }: MetricsView, moment: Date): Map<string, number> {
  const all = new Map(heard);
  for (const row of snapshot.named('').flatMap(snapshot.all)) {
    const at = Date.parse(row.fetched_at);
    if (at <= moment.getTime()) all.set(row.source, Math.max(at, all.get(row.source) ?? 0));
  }
  return all;
}

function withHeard(source: EarlierHealth, moment: Date, heardMs: number | undefined): SourceHealth {
  if (heardMs === undefined) return source;
  const lastSuccessAt = new Date(heardMs).toISOString();
  const wasUp = source.state === 'unknown' && moment.getTime() - heardMs <= HEARD_WITHIN_MS;
  return wasUp ? { ...source, state: 'ok', note: null, lastSuccessAt } : { ...source, lastSuccessAt };
}
