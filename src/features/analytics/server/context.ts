import type { Predictions } from '#features/analysis/server/predictions/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import type { Db } from '#kernel/db.ts';
import type { ReadOptions, Reads } from '#kernel/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AnalyticsContext = {
  db: Db;
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  mode: DataMode;
  now: () => Date;
};

export type AnalyticsDeps = AnalyticsContext & { reads: Reads };

/** Computes from history, on one server. */
export const fromPast = <T, C extends AnalyticsDeps>(
  deps: C,
  make: (ctx: C) => Promise<T>,
  needs?: ReadOptions,
): Promise<T> =>
  deps.reads.answer((db) => make({ ...deps, db, market: deps.market.over(db), metrics: deps.metrics.over(db) }), needs);
