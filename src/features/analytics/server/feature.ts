import { feature } from '#kernel/feature.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import type { AnalyticsDeps } from './context.ts';
import { analyticsRoutes } from './routes.ts';

export const analytics = feature({
  name: 'analytics',
  routes: (
    app,
    { scheduler, db, reads, market, metrics, predictions, mode, now }: AnalyticsDeps & { scheduler: Scheduler },
  ) => analyticsRoutes(app, { db, reads, market, metrics, predictions, mode, now }, scheduler),
});
