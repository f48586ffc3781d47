import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { Notifications } from './service.ts';
import { deleteOldDeliveries } from './store/log.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

export function notificationsJobs(notifications: Notifications): Job[] {
  const { db, now } = notifications.ctx;
  return [
    defineJob({
      name: 'notifications.deliver',
      about: 'Sends scheduled notifications; new alerts are sent immediately',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async (_, signal) => void (await notifications.deliver(signal)),
    }),
    defineJob({
      name: 'notifications.retention',
      about: 'Deletes delivery records after 30 days',
      schedule: ['51 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => deleteOldDeliveries(db, new Date(now().getTime() - RETENTION_DAYS * DAY_MS)),
    }),
  ];
}
