import type { Job, Scheduler } from '#server/platform/scheduler.ts';

import type { Exports } from './service.ts';

export const schedulesJobs = (_exports: Exports, _scheduler: () => Scheduler): Job[] => [];
