import type { Market } from '#features/market/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { SourceSet } from '#server/platform/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { PastMarket } from './types.ts';

/** What the metrics work with; one per process. */
export type MetricsContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  sources: SourceSet;
  market: Market;
  /** Demo only. */
  openPast?: () => Promise<PastMarket>;
};
