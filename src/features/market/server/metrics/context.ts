import type { Market } from '#features/market/server/market/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { PastMarket } from './types.ts';

/** Dependencies of the metrics; one per process. */
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
