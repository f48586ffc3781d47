import { defineJob, type Job, noPayload, type Scheduler } from '#server/platform/scheduler.ts';

import { fitPlans } from './service/schedules-plans.ts';
import { runSchedules } from './service/schedules-run.ts';
import type { Exports } from './service.ts';

export const schedulesJobs = ({ ctx }: Exports, _scheduler: () => Scheduler): Job[] => [
  defineJob({
    name: 'exports.scheduled',
    about: 'Starts the exports that are due, tries failed ones again, and tells of those that have ended',
    schedule: ['* * * * *'],
    exclusive: true,
    retryLimit: 0,
    payload: noPayload,
    async run(_, signal) {
      await fitPlans(ctx, signal);
      await runSchedules(ctx, signal);
    },
  }),
];
