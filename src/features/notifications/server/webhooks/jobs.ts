import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { WebhooksDeps } from './context.ts';
import { forgetAttempts } from './store.ts';

const KEPT_DAYS = 30;
const KEPT_EACH = 200;

export function webhooksJobs({ db, now }: Pick<WebhooksDeps, 'db' | 'now'>): Job[] {
  return [
    defineJob({
      name: 'webhooks.retention',
      about: 'Deletes webhook calls after 30 days, and all but the latest 200 per webhook after one day',
      schedule: ['53 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => forgetAttempts(db, now(), KEPT_DAYS, KEPT_EACH),
    }),
  ];
}
