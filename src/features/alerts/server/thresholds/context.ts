import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Connection, Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Listener } from '#kernel/listener.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

/** Dependencies of users' rules; one per process. */
export type ThresholdsContext = {
  db: Db;
  direct: Connection;
  reads: Reads;
  listener: Listener;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  market: Market;
  metrics: Metrics;
  analysis: Analysis;
};
