import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Notifications } from './service.ts';
import { forgetDeliveries } from './store/log.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

export function notificationsJobs(notifications: Notifications): Job[] {
  const { db, now } = notifications.ctx;
  return [
    defineJob({
      name: 'notifications.deliver',
      about: 'Sends the notifications that are due; what has just happened does not wait for it',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async (_, signal) => void (await notifications.deliver(signal)),
    }),
    defineJob({
      name: 'notifications.retention',
      about: 'Forgets after 30 days what was delivered to whom',
      schedule: ['51 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => forgetDeliveries(db, new Date(now().getTime() - KEPT_DAYS * DAY_MS)),
    }),
  ];
}
