import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { type PlanStatus, readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';
import type { ExportsContext } from './context.ts';
import { pausedMail } from './mails/scheduled.ts';
import { MAX_CONCURRENT } from './service/create.ts';
import { removeOrphans } from './service/files.ts';
import { runExport } from './service/run-export.ts';
import { nextRun } from './service/schedule-times.ts';
import { runSchedules } from './service/schedules-run.ts';
import type { Exports } from './service.ts';
import { claimNext, expireDue } from './store/exports.ts';
import { findEmail, lockPaused, pauseSchedules, peopleAfter, resumeSchedule } from './store/schedules.ts';

const PEOPLE_AT_ONCE = 500;

/** Runs missed during the pause are not made up for. */
const resume = (ctx: ExportsContext, userId: number): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    for (const { id, schedule, anchor, hour, time_zone } of await lockPaused(tx, userId))
      await resumeSchedule(tx, id, nextRun(schedule, anchor, hour, time_zone, ctx.now()));
  });

/** Notifies once: a second call finds nothing active. */
const pause = (ctx: ExportsContext, userId: number): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const paused = await pauseSchedules(tx, userId);
    const to = await findEmail(tx, userId);
    if (paused.length === 0 || to === undefined) return;
    const names = paused.toSorted((a, b) => a.id - b.id).map(({ name }) => name);
    await ctx.mail.enqueue(tx, await pausedMail({ to, names, publicUrl: ctx.publicUrl() }));
  });

/** Pauses schedules whose owner's current plan no longer includes them, and resumes the others. */
async function applyPlanLimits(ctx: ExportsContext, signal: AbortSignal): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const people = await peopleAfter(ctx.db, after, PEOPLE_AT_ONCE);
    const ids = people.map(({ user_id }) => user_id);
    const standings = await readPlanStatuses(ctx.db, ids, ctx.now());
    for (const { user_id: userId, role, active, paused } of people) {
      const isIncluded = PLAN_LIMITS[resolvePlan(role, standings.get(userId) as PlanStatus)].advancedExport;
      if (isIncluded && paused > 0) await resume(ctx, userId);
      if (!isIncluded && active > 0) await pause(ctx, userId);
    }
    after = ids.at(-1) ?? 0;
    if (people.length < PEOPLE_AT_ONCE) return;
  }
}

const schedulesJobs = ({ ctx }: Exports, _scheduler: () => Scheduler): Job[] => [
  defineJob({
    name: 'exports.scheduled',
    about: 'Starts scheduled exports, retries failed ones and sends the results',
    schedule: ['* * * * *'],
    exclusive: true,
    retryLimit: 0,
    payload: noPayload,
    async run(_, signal) {
      await applyPlanLimits(ctx, signal);
      await runSchedules(ctx, signal);
    },
  }),
];

const MAKE = 'exports.make';
/** Longer than any export takes. */
const MAX_RUN_SECONDS = 3600;

/** Writes queued exports and deletes expired files. */
export function exportsJobs(exports: Exports, scheduler: () => Scheduler): Job[] {
  const { ctx } = exports;
  ctx.wake = () => scheduler().send(MAKE);

  async function make(signal: AbortSignal): Promise<void> {
    const row = await claimNext(ctx.db, MAX_CONCURRENT, ctx.now());
    if (!row) return;
    const stop = () => ctx.making.get(row.id)?.end('stopping');
    signal.addEventListener('abort', stop);
    try {
      const running = runExport(ctx, row);
      if (signal.aborted) stop();
      await running;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    // An export queued behind this one has no other trigger.
    if (!signal.aborted) await ctx.wake();
  }

  return [
    defineJob({
      name: MAKE,
      about: 'Creates the file of the oldest queued export; new requests start immediately',
      schedule: ['* * * * *'],
      concurrency: ctx.config.EXPORT_THREADS,
      retryLimit: 0,
      expireSeconds: MAX_RUN_SECONDS,
      payload: noPayload,
      run: (_, signal) => make(signal),
    }),
    defineJob({
      name: 'exports.expire',
      about: 'Deletes expired and orphaned export files',
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
