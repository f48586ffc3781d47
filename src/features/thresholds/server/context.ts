import type { Analysis } from '#features/analysis/server/service.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Connection, Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Listener } from '#server/platform/listener.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { Reads } from '#server/platform/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

/** What the rules of people work with; one per process. */
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
