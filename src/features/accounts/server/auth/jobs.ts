import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import type { AuthContext } from './context.ts';
import { deleteExpired } from './store/sessions.ts';

export function authJobs(ctx: Pick<AuthContext, 'db' | 'now'>): Job[] {
  return [
    defineJob({
      name: 'auth.retention',
      about: 'Deletes ended sessions, expired links and attempt counters',
      schedule: ['17 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => deleteExpired(ctx.db, ctx.now()),
    }),
  ];
}
