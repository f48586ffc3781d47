import { messageOf } from '#server/platform/errors.ts';

import type { ExportsContext } from '../context.ts';
import { endedRuns, insertRun, type RunKey, setExport, setRetry, setTold, takeEnded, tryAgain } from '../store/runs.ts';
import { dueSchedules, setNextRun, takeDue } from '../store/schedules.ts';
import { enqueueExport } from './enqueue.ts';
import { newestRun, nextRun } from './schedules-next-run.ts';
import { tellOfRun } from './schedules-tell.ts';

const MINUTE_MS = 60_000;
/** Pauses after the first and the second try that failed; the third is the last. */
const PAUSES_MS = [5 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** The newest moment of a schedule that is due gets one export, in one transaction with the next moment. */
const run = (ctx: ExportsContext, id: number): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now();
    const due = await takeDue(tx, id, now);
    if (!due?.next_run_at) return;
    const { schedule, anchor, hour, time_zone: timeZone } = due;
    const scheduledFor = newestRun({ schedule, anchor, hour, timeZone }, new Date(due.next_run_at), now);
    if (await insertRun(tx, id, scheduledFor)) {
      const exportId = await enqueueExport(ctx, tx, {
        userId: due.user_id,
        scheduleId: id,
        scheduledFor,
        dataTypes: due.data_types,
        dateRange: due.date_range,
        format: due.format,
        includeMetadata: due.include_metadata,
        compression: due.compression,
      });
      if (exportId) await setExport(tx, { scheduleId: id, scheduledFor: scheduledFor.toISOString() }, exportId);
    }
    await setNextRun(tx, id, nextRun(schedule, anchor, hour, timeZone, now));
  });

/** What an ended run leads to: a later try, the next try, or that its person is told. */
const settle = (ctx: ExportsContext, key: RunKey): Promise<void> =>
  ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now();
    const ended = await takeEnded(tx, key, now);
    if (!ended) return;
    const { state, tries, exportId, retryAt, isCancelled } = ended;
    const pause = state === 'failed' && !isCancelled ? PAUSES_MS[tries - 1] : undefined;
    if (pause === undefined || exportId === null) {
      await tellOfRun(ctx, tx, ended);
      await setTold(tx, key, now);
    } else if (retryAt === null) await setRetry(tx, key, new Date(now.getTime() + pause));
    else await tryAgain(tx, key, exportId);
  });

/** Starts what is due and settles what has ended, each by itself: one that fails holds up no other and comes again. */
export async function runSchedules(ctx: ExportsContext, signal?: AbortSignal): Promise<void> {
  const each = async <T>(what: string, list: readonly T[], act: (ctx: ExportsContext, one: T) => Promise<void>) => {
    for (const one of list) {
      if (signal?.aborted) return;
      await act(ctx, one).catch((error: unknown) =>
        ctx.report('exports', 'system', what, { one, error: messageOf(error) }),
      );
    }
  };
  await each('A scheduled export could not be started', await dueSchedules(ctx.db, ctx.now()), run);
  await each('A scheduled export could not be settled', await endedRuns(ctx.db, ctx.now()), settle);
  await ctx.wake();
}
