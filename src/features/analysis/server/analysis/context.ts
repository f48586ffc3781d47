import type { Predictions } from '#features/analysis/server/predictions/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics, PastMarket } from '#features/market/server/metrics/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { InputEvent } from './types.ts';

export type AnalysisContext = {
  db: Db;
  reads: Reads;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  live: Live;
  sources: SourceSet;
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  /** Scheduled events of a span that were known at its beginning, except those whose terms exclude use with models. */
  eventsForModels: (from: Date, to: Date) => Promise<InputEvent[]>;
  /** Demo only: the same market at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};
