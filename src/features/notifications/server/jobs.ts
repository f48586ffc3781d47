import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import type { Notifications } from './service.ts';

export function notificationsJobs(notifications: Notifications): Job[] {
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
  ];
}
