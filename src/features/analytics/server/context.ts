import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Predictions } from '#features/predictions/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AnalyticsContext = {
  db: Db;
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  mode: DataMode;
  now: () => Date;
};
