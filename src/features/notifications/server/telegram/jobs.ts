import type { Db } from '#kernel/db.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import { closeBroadcasts } from './broadcasts.ts';
import { deleteOldCommands } from './store/bots.ts';
import { deleteExpired } from './store/codes.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

export function telegramJobs({ db, now }: { db: Db; now: () => Date }): Job[] {
  return [
    defineJob({
      name: 'telegram.retention',
      about: 'Deletes expired Telegram verification codes, and bot commands after 30 days',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async () => {
        await deleteExpired(db, now());
        await deleteOldCommands(db, new Date(now().getTime() - RETENTION_DAYS * DAY_MS));
      },
    }),
    defineJob({
      name: 'telegram.broadcasts',
      about: 'Records the results of finished announcements',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async () => void (await closeBroadcasts({ db, now })),
    }),
  ];
}
