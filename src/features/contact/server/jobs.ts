import type { Db } from '#kernel/db.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import { forgetMessages } from './store.ts';

const DAY_MS = 86_400_000;
const SETTLED_DAYS = 90;
const LONGEST_DAYS = 730;

export function contactJobs({ db, now }: { db: Db; now: () => Date }): Job[] {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  return [
    defineJob({
      name: 'contact.retention',
      about: 'Deletes support messages 90 days after they are closed, and all messages after two years',
      schedule: ['47 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => forgetMessages(db, ago(SETTLED_DAYS), ago(LONGEST_DAYS)),
    }),
  ];
}
