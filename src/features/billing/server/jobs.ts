import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import type { BillingContext } from './context.ts';
import { giveNotices } from './service/notices.ts';

export const billingJobs = (ctx: BillingContext): Job[] => [
  defineJob({
    name: 'billing.notices',
    about: 'Mails those whose plan or trial is about to end or has ended',
    schedule: ['7 * * * *'],
    exclusive: true,
    payload: noPayload,
    run: async (_, signal) => void (await giveNotices(ctx, signal)),
  }),
];
