import type { EmailContext } from '#features/email/server/service.ts';
import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Notifications } from '#features/notifications/server/service.ts';
import type { ThresholdsContext } from '#features/thresholds/server/service.ts';

export type DigestsContext = {
  email: EmailContext;
  notifications: Pick<Notifications, 'digestDue' | 'takeDigest' | 'settle'>;
  market: Market;
  metrics: Metrics;
  /** What the rules of people watch. */
  thresholds: ThresholdsContext;
};
