import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { planOf, type Standing, standingsOf } from '#features/subscriptions/server/service.ts';

import type { ExportsContext } from '../context.ts';
import { pausedMail } from '../mails/scheduled.ts';
import { addressOf, lockPaused, pauseSchedules, peopleAfter, resumeSchedule } from '../store/schedules.ts';
import { nextRun } from './schedules-next-run.ts';

const PEOPLE_AT_ONCE = 500;

/** What was missed in the pause is not made up for. */
const resume = (ctx: ExportsContext, userId: number): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    for (const { id, schedule, anchor, hour, time_zone } of await lockPaused(tx, userId))
      await resumeSchedule(tx, id, nextRun(schedule, anchor, hour, time_zone, ctx.now()));
  });

/** Told once: who comes second finds nothing that is active. */
const pause = (ctx: ExportsContext, userId: number): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const paused = await pauseSchedules(tx, userId);
    const to = await addressOf(tx, userId);
    if (paused.length === 0 || to === undefined) return;
    const names = paused.toSorted((a, b) => a.id - b.id).map(({ name }) => name);
    await ctx.mail.post(tx, await pausedMail({ to, names, publicUrl: ctx.publicUrl() }));
  });

/** Pauses the schedules of those whose plan of now no longer includes them, and lets those of others go on. */
export async function fitPlans(ctx: ExportsContext, signal?: AbortSignal): Promise<void> {
  for (let after = 0; !signal?.aborted; ) {
    const people = await peopleAfter(ctx.db, after, PEOPLE_AT_ONCE);
    const ids = people.map(({ user_id }) => user_id);
    const standings = await standingsOf(ctx.db, ids, ctx.now());
    for (const { user_id: userId, role, active, paused } of people) {
      const isIncluded = PLAN_LIMITS[planOf(role, standings.get(userId) as Standing)].advancedExport;
      if (isIncluded && paused > 0) await resume(ctx, userId);
      if (!isIncluded && active > 0) await pause(ctx, userId);
    }
    after = ids.at(-1) ?? 0;
    if (people.length < PEOPLE_AT_ONCE) return;
  }
}
