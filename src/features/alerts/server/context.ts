import type { Analysis } from '#features/analysis/server/service.ts';
import type { Events } from '#features/events/server/service.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics, PastMarket } from '#features/metrics/server/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Log } from '#server/platform/log.ts';
import type { DataMode } from '#shared/provenance.ts';

export type AlertsContext = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  market: Market;
  metrics: Metrics;
  analysis: Analysis;
  inflation: Inflation;
  events: Events;
  /** Demo only: the same market at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};
