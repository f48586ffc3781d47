import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';

import { collectDigests, type DigestsContext } from './service.ts';

export function digestsJobs(ctx: DigestsContext): Job[] {
  return [
    defineJob({
      name: 'digests.gather',
      about: 'Emails the digests that are due',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async (_, signal) => void (await collectDigests(ctx, signal)),
    }),
  ];
}
