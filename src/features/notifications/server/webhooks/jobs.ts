import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { WebhooksDeps } from './context.ts';
import { deleteOldAttempts } from './store.ts';

const RETENTION_DAYS = 30;
const MAX_ATTEMPTS_STORED = 200;

export function webhooksJobs({ db, now }: Pick<WebhooksDeps, 'db' | 'now'>): Job[] {
  return [
    defineJob({
      name: 'webhooks.retention',
      about: 'Deletes webhook calls after 30 days, and all but the latest 200 per webhook after one day',
      schedule: ['53 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => deleteOldAttempts(db, now(), RETENTION_DAYS, MAX_ATTEMPTS_STORED),
    }),
  ];
}
