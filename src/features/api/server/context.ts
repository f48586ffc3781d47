import type { Alerts } from '#features/alerts/server/service.ts';
import type { Analysis } from '#features/analysis/server/service.ts';
import type { AuthContext } from '#features/auth/server/service.ts';
import type { Dashboard } from '#features/dashboard/contract.ts';
import type { Events } from '#features/events/server/service.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Predictions } from '#features/predictions/server/service.ts';
import type { Thresholds } from '#features/thresholds/server/service.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Reads } from '#server/platform/reads/reads.ts';
import type { SourceSet } from '#server/platform/source-set.ts';

/** What the public API reads. */
export type ApiDeps = AuthContext & {
  market: Market;
  metrics: Metrics;
  predictions: Predictions;
  analysis: Analysis;
  inflation: Inflation;
  events: Events;
  alerts: Alerts;
  thresholds: Thresholds;
  sources: SourceSet;
  live: Live;
  reads: Reads;
  nextCollection: (at?: Date) => Date | null;
  /** The dashboard as it was composed last; null before that. */
  latest: () => Dashboard | null;
  /** Fetches the past of a coin that nobody has asked for before. */
  requestBackfill: (coinId: string) => Promise<void>;
};
