import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Alerts } from '#features/alerts/server/alerts/service.ts';
import type { Thresholds } from '#features/alerts/server/thresholds/service.ts';
import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Predictions } from '#features/analysis/server/predictions/service.ts';
import type { Events } from '#features/events/server/service.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { SourceSet } from '#kernel/source-set.ts';

/** Data sources of the public API. */
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
  /** The latest composed dashboard; null before the first. */
  latest: () => Dashboard | null;
  /** Fetches the history of a coin on first request. */
  requestBackfill: (coinId: string) => Promise<void>;
};
