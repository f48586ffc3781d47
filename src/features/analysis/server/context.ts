import type { Market } from '#features/market/server/service.ts';
import type { Metrics, PastMarket } from '#features/metrics/server/service.ts';
import type { Predictions } from '#features/predictions/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { SourceSet } from '#server/platform/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AnalysisContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  /** Demo only: the same market at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};
