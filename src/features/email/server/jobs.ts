import type { Settle } from '#features/notifications/server/channel.ts';
import { defineJob, type Job, noPayload } from '#server/platform/scheduler.ts';

import type { EmailContext } from './context.ts';
import { reconcile } from './reconcile.ts';
import { forgetOldSuppressions } from './store.ts';

export function emailJobs(ctx: EmailContext, settle: Settle): Job[] {
  return [
    defineJob({
      name: 'email.reconcile',
      about: 'Settles notifications whose mail has come to its end unheard, and forgets pauses that are over',
      schedule: ['3-59/10 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async (_, signal) => {
        await reconcile(ctx, settle, signal);
        await forgetOldSuppressions(ctx.db, ctx.now());
      },
    }),
  ];
}
