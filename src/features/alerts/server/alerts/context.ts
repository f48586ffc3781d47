import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics, PastMarket } from '#features/market/server/metrics/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Log } from '#kernel/log.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { CalendarEvent } from './reading.ts';

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
  events: {
    list: () => CalendarEvent[];
    /** Reminder windows each event has entered. */
    windows: () => Map<number, { days: number; enteredAt: string }[]>;
    onChange: (handler: () => void) => void;
  };
  /** Demo only: the same market at a past moment. */
  openPast?: () => Promise<PastMarket>;
};
