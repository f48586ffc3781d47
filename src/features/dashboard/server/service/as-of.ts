import type { Analysis } from '#features/analysis/server/service.ts';
import type { Dashboard } from '#features/dashboard/contract.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Plan } from '#shared/contract.ts';
import type { DataMode } from '#shared/provenance.ts';
import { assemble } from '../service.ts';

const DAY_MS = 86_400_000;

export type AsOfDeps = {
  market: Market;
  metrics: Metrics;
  analysis: Pick<Analysis, 'at'>;
  mode: DataMode;
  now: () => Date;
  nextCollection: (at: Date) => Date | null;
};

/** The dashboard as it stood at an earlier moment, from stored observations; what was not stored is null. */
export async function readDashboardAt(deps: AsOfDeps, moment: Date, plan: Plan | null): Promise<Dashboard> {
  const { market, metrics, analysis, mode, now, nextCollection } = deps;
  const ageMs = now().getTime() - moment.getTime();
  const days = PLAN_LIMITS[plan ?? 'free'].historyDays;
  if (ageMs < 0) throw new AppError('bad_request', 'That moment has not come yet');
  if (days !== null && ageMs > days * DAY_MS)
    throw new AppError('upgrade_required', `The last ${days} days can be shown. Pro shows everything that is stored.`);
  const [earlier, view, opinions] = await Promise.all([market.at(moment), metrics.at(moment), analysis.at(moment)]);
  if (!earlier) throw new AppError('not_found', 'Nothing is stored of that moment');
  const { prices, totals, lastCollectionAt } = earlier;
  return {
    ...assemble({
      at: moment,
      mode,
      prices,
      totals,
      sources: [],
      lastCollectionTime: lastCollectionAt,
      nextCollectionTime: nextCollection(moment)?.toISOString() ?? null,
      metrics: view,
      ...(opinions ? { aiAnalysis: opinions } : {}),
    }),
    subscriptionStatus: plan && { plan, planName: PLAN_NAMES[plan] },
    asOf: moment.toISOString(),
  };
}
