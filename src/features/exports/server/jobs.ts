import type { Job, Scheduler } from '#server/platform/scheduler.ts';

import { schedulesJobs } from './schedules-jobs.ts';
import type { Exports } from './service.ts';

export const exportsJobs = (exports: Exports, scheduler: () => Scheduler): Job[] => [
  ...schedulesJobs(exports, scheduler),
];
