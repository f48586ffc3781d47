import type { Db } from '#kernel/db.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import { deleteOldMessages } from './store.ts';

const DAY_MS = 86_400_000;
const CLOSED_RETENTION_DAYS = 90;
const MAX_RETENTION_DAYS = 730;

export function contactJobs({ db, now }: { db: Db; now: () => Date }): Job[] {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  return [
    defineJob({
      name: 'contact.retention',
      about: 'Deletes support messages 90 days after they are closed, and all messages after two years',
      schedule: ['47 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => deleteOldMessages(db, ago(CLOSED_RETENTION_DAYS), ago(MAX_RETENTION_DAYS)),
    }),
  ];
}
