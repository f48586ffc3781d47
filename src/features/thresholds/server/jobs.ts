import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import { fitPlans } from './service/plans.ts';
import type { Thresholds } from './service.ts';

export function thresholdsJobs(thresholds: Thresholds): Job[] {
  return [
    defineJob({
      name: 'alerts.plans',
      about: 'Pauses the alerts beyond a plan that has ended, and brings back those within one that has begun',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: (_, signal) => fitPlans(thresholds, signal),
    }),
  ];
}
