import type { Job } from '#server/platform/scheduler.ts';

import type { BillingContext } from './context.ts';

export const billingJobs = (_ctx: BillingContext): Job[] => [];
