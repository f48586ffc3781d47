import { randomUUID } from 'node:crypto';
import type { ExportFormat, ExportRange, ExportType } from '#features/exports/contract/exports.ts';
import { loadRecipients, newsMail, suppressionReason } from '#features/notifications/server/email/service.ts';
import { findPreferences } from '#features/notifications/server/notifications/service.ts';
import type { Db } from '#kernel/db.ts';
import { errorMessage } from '#kernel/errors.ts';

import type { ExportsContext } from '../context.ts';
import { failedMail, readyMail } from '../mails/scheduled.ts';
import { addExport } from '../store/exports.ts';
import {
  claimEnded,
  type EndedRun,
  endedRuns,
  insertRun,
  markNotified,
  type RunKey,
  setExport,
  setRetry,
  tryAgain,
} from '../store/runs.ts';
import { dueSchedules, setNextRun, takeDue } from '../store/schedules.ts';
import { resolveRange } from './range.ts';
import { newestRun, nextRun } from './schedule-times.ts';

type ScheduledRequest = {
  userId: number;
  scheduleId: number;
  /** The scheduled time it is created for. */
  scheduledFor: Date;
  dataTypes: ExportType[];
  dateRange: Exclude<ExportRange, 'custom'>;
  format: ExportFormat;
  includeMetadata: boolean;
  compression: boolean;
};

/**
 * Queues an export for a schedule; returns its id, or null when that scheduled time already has one. The caller wakes
 * the workers with `ctx.wake` after the commit; otherwise they find it within a minute.
 */
async function enqueueExport(ctx: ExportsContext, tx: Db, request: ScheduledRequest): Promise<string | null> {
  const at = ctx.now();
  const { from, to } = resolveRange({ dateRange: request.dateRange }, at);
  return addExport(tx, {
    id: randomUUID(),
    user_id: request.userId,
    schedule_id: request.scheduleId,
    scheduled_for: request.scheduledFor.toISOString(),
    basic: false,
    data_types: request.dataTypes,
    date_range: request.dateRange,
    range_from: from?.toISOString() ?? null,
    range_to: to.toISOString(),
    format: request.format,
    include_metadata: request.includeMetadata,
    compression: request.compression,
    state: 'waiting',
    created_at: at.toISOString(),
  });
}

/** Emails the outcome of a run, if wanted and deliverable, in the transaction that settles the run. */
async function notifyOfRun(ctx: ExportsContext, tx: Db, run: EndedRun): Promise<void> {
  const isNews = run.state === 'done' || run.state === 'failed';
  if (!isNews || !run.isWanted || run.isCancelled) return;
  const to = (await loadRecipients(ctx, tx, [run.userId])).get(run.userId);
  if (!to || suppressionReason(ctx, to)) return;
  if (!(await findPreferences(tx, run.userId)).emailNotifications) return;
  const given = { run, to: to.email, publicUrl: ctx.publicUrl() };
  await ctx.mail.enqueue(tx, await newsMail(ctx, run.state === 'done' ? readyMail(given) : failedMail(given)));
}

const MINUTE_MS = 60_000;
/** Delays after the first and second failed attempt; the third is the last. */
const RETRY_DELAYS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS] as const;

/**
 * Queues one export for the latest due time of a schedule, in one transaction with the next run time. Returns whether
 * one is pending.
 */
const run = (ctx: ExportsContext, id: number): Promise<boolean> =>
  ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now();
    const due = await takeDue(tx, id, now);
    if (!due?.next_run_at) return false;
    const { schedule, anchor, hour, time_zone: timeZone } = due;
    const scheduledFor = newestRun({ schedule, anchor, hour, timeZone }, new Date(due.next_run_at), now);
    const isNew = await insertRun(tx, id, scheduledFor);
    if (isNew) {
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
    return isNew;
  });

/** Handles an ended run: schedules a retry, starts it, or notifies the owner. Returns whether an export is pending. */
const settle = (ctx: ExportsContext, key: RunKey): Promise<boolean> =>
  ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now();
    const ended = await claimEnded(tx, key, now);
    if (!ended) return false;
    const { state, tries, exportId, retryAt, isCancelled } = ended;
    const pause = state === 'failed' && !isCancelled ? RETRY_DELAYS_MS[tries - 1] : undefined;
    if (pause === undefined || exportId === null) {
      await notifyOfRun(ctx, tx, ended);
      await markNotified(tx, key, now);
      return false;
    }
    if (retryAt === null) {
      await setRetry(tx, key, new Date(now.getTime() + pause));
      return false;
    }
    await tryAgain(tx, key, exportId);
    return true;
  });

/** Starts due schedules and settles ended runs independently: a failed one does not block the others and is retried. */
export async function runSchedules(ctx: ExportsContext, signal: AbortSignal): Promise<void> {
  let waiting = 0;
  const each = async <T>(what: string, list: readonly T[], act: (ctx: ExportsContext, one: T) => Promise<boolean>) => {
    for (const one of list) {
      if (signal.aborted) return;
      try {
        if (await act(ctx, one)) waiting += 1;
      } catch (error) {
        ctx.report('exports', 'system', what, { one, error: errorMessage(error) });
      }
    }
  };
  await each('Failed to start a scheduled export', await dueSchedules(ctx.db, ctx.now()), run);
  await each('Failed to complete a scheduled export', await endedRuns(ctx.db, ctx.now()), settle);
  if (waiting > 0) await ctx.wake();
}
