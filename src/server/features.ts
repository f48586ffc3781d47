import { type Alerts, createAlerts } from '#features/alerts/server/service.ts';
import { type Analysis, createAnalysis } from '#features/analysis/server/service.ts';
import { createEvents, type Events } from '#features/events/server/service.ts';
import { createInflation, type Inflation } from '#features/inflation/server/service.ts';
import { createMarket, type Market } from '#features/market/server/service.ts';
import { createMetrics, type Metrics, type PastMarket } from '#features/metrics/server/service.ts';
import { createPredictions, type Predictions } from '#features/predictions/server/service.ts';
import { createThresholds, type Thresholds } from '#features/thresholds/server/service.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Config } from './platform/config.ts';
import type { Connection, Db } from './platform/db.ts';
import type { ReportError } from './platform/error-reports.ts';
import type { Listener } from './platform/listener.ts';
import type { Live } from './platform/live/live.ts';
import type { Log } from './platform/log.ts';
import type { Reads } from './platform/reads/reads.ts';
import type { SourceSet } from './platform/source-set.ts';

type Deps = {
  db: Db;
  direct: Connection;
  reads: Reads;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  live: Live;
  listener: Listener;
  sources: SourceSet;
  /** Demo only: the same market at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};

/** The features that hold what the pages show, one of each in a process. */
export type Features = {
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  analysis: Analysis;
  inflation: Inflation;
  events: Events;
  alerts: Alerts;
  thresholds: Thresholds;
};

/** A feature is given those it builds on. */
export function createFeatures(deps: Deps): Features {
  const market = createMarket(deps);
  const metrics = createMetrics({ ...deps, market });
  const predictions = createPredictions({ ...deps, market });
  const analysis = createAnalysis({ ...deps, market, metrics, predictions });
  const inflation = createInflation({ ...deps, analysis });
  const events = createEvents({ ...deps, market, inflation });
  const alerts = createAlerts({ ...deps, market, metrics, analysis, inflation, events });
  const thresholds = createThresholds({ ...deps, market, metrics, analysis });
  return { market, metrics, predictions, analysis, inflation, events, alerts, thresholds };
}

/** The market comes last: its news are drawn with what the others know. */
export async function startFeatures({
  market,
  metrics,
  predictions,
  analysis,
  inflation,
  events,
  alerts,
}: Features): Promise<void> {
  for (const { start } of [metrics, predictions, analysis, inflation, events, alerts, market]) await start();
}

export async function reloadFeatures({
  market,
  metrics,
  predictions,
  analysis,
  inflation,
  events,
}: Features): Promise<void> {
  for (const { reload } of [market, metrics, predictions, analysis, inflation, events]) await reload();
}
