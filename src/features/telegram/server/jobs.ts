import type { Db } from '#server/platform/db.ts';
import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import { forgetExpired } from './store/codes.ts';

export function telegramJobs({ db, now }: { db: Db; now: () => Date }): Job[] {
  return [
    defineJob({
      name: 'telegram.retention',
      about: 'Wipes verification codes for Telegram that have expired',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async () => forgetExpired(db, now()),
    }),
  ];
}
