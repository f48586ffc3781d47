import { defineJob, type Job, noPayload, type Scheduler } from '#server/platform/scheduler.ts';

import { schedulesJobs } from './schedules-jobs.ts';
import { AT_ONCE } from './service/create.ts';
import { removeOrphans } from './service/files.ts';
import { makeExport } from './service/make.ts';
import type { Exports } from './service.ts';
import { claimNext, expireDue } from './store/exports.ts';

const MAKE = 'exports.make';
/** Longer than any export takes. */
const LONGEST_SECONDS = 3600;

/** Making the files that are not answered at once, and removing those whose time is over. */
export function exportsJobs(exports: Exports, scheduler: () => Scheduler): Job[] {
  const { ctx } = exports;
  ctx.wake = () => scheduler().send(MAKE);

  async function make(signal: AbortSignal): Promise<void> {
    const row = await claimNext(ctx.db, AT_ONCE, ctx.now());
    if (!row) return;
    const stop = () => ctx.making.get(row.id)?.end('stopping');
    signal.addEventListener('abort', stop);
    try {
      const running = makeExport(ctx, row);
      if (signal.aborted) stop();
      await running;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    // What waited for this one to end has nobody else to begin it.
    if (!signal.aborted) await ctx.wake();
  }

  return [
    defineJob({
      name: MAKE,
      about: 'Makes the file of the export that has waited longest; one that was just asked for does not wait for it',
      schedule: ['* * * * *'],
      atOnce: ctx.config.EXPORT_THREADS,
      retryLimit: 0,
      expireSeconds: LONGEST_SECONDS,
      payload: noPayload,
      run: (_, signal) => make(signal),
    }),
    defineJob({
      name: 'exports.expire',
      about: 'Removes exported files whose time is over, and files that belong to no export',
      schedule: ['17 * * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        await expireDue(ctx.db, ctx.now());
        await removeOrphans(ctx);
      },
    }),
    ...schedulesJobs(exports, scheduler),
  ];
}
