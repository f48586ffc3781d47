import type { FastifyInstance } from 'fastify';
import type { z } from 'zod/mini';
import {
  cancelScheduled,
  getWhiteLabel,
  listScheduled,
  type ScheduledExport,
  saveWhiteLabel,
  scheduleExport,
} from '#features/exports/contract/exports.ts';
import { findPreferences } from '#features/notifications/server/notifications/service.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import type { ExportsContext } from './context.ts';
import { readStoredBranding, saveBranding } from './service/branding.ts';
import { anchorAt, knowsZone, minuteWords, nextRun, scheduleName } from './service/schedule-times.ts';
import type { Exports } from './service.ts';
import {
  cancelSchedule,
  insertSchedule,
  type ListedSchedule,
  lockSchedules,
  readSchedules,
} from './store/schedules.ts';

const MAX_SCHEDULES = 20;
/** Default hour, in the morning. */
const HOUR = 8;

type Asked = z.output<typeof scheduleExport.body>;

/** A failed run that will be retried counts as waiting. */
function toLastRun(row: ListedSchedule): ScheduledExport['lastRun'] {
  if (row.run_at === null) return null;
  const again = row.retry_at && ` Next attempt at ${minuteWords(row.retry_at)}.`;
  return {
    at: row.run_at,
    state: again ? 'waiting' : (row.run_state ?? 'cancelled'),
    exportId: row.run_export,
    error: row.run_error && `${row.run_error}${again ?? ''}`,
  };
}

const toScheduledExport = (row: ListedSchedule): ScheduledExport => ({
  id: row.id,
  name: row.name,
  schedule: row.schedule,
  format: row.format,
  dataTypes: row.data_types,
  dateRange: row.date_range,
  emailNotification: row.email_notification,
  timeZone: row.time_zone,
  hour: row.hour,
  state: row.state === 'active' ? 'active' : 'paused',
  nextRunAt: row.next_run_at,
  lastRun: toLastRun(row),
});

async function listSchedules({ db }: ExportsContext, userId: number): Promise<ScheduledExport[]> {
  return (await readSchedules(db, userId)).map(toScheduledExport);
}

/** Uses the user's time zone unless another is given; the day of creation sets the day of the week or month. */
async function addSchedule(ctx: ExportsContext, userId: number, asked: Asked): Promise<ScheduledExport> {
  const { db, now } = ctx;
  const { schedule, format, dateRange, emailNotification, hour = HOUR } = asked;
  const dataTypes = [...new Set(asked.dataTypes)];
  const timeZone = asked.timeZone ?? (await findPreferences(db, userId)).notificationPreferences.timeZone;
  if (!knowsZone(timeZone)) throw new AppError('bad_request', 'Unknown time zone');
  const at = now();
  const anchor = anchorAt(schedule, timeZone, at);
  const id = await db.transaction().execute(async (tx) => {
    if ((await lockSchedules(tx, userId)) >= MAX_SCHEDULES)
      throw new AppError('conflict', `Limit reached: ${MAX_SCHEDULES} scheduled exports. Cancel one to add another.`);
    return insertSchedule(tx, {
      user_id: userId,
      name: scheduleName({ schedule, dataTypes, format }),
      schedule,
      data_types: dataTypes,
      date_range: dateRange,
      format,
      include_metadata: asked.includeMetadata ?? true,
      compression: asked.compression ?? false,
      email_notification: emailNotification,
      time_zone: timeZone,
      hour,
      anchor,
      state: 'active',
      next_run_at: nextRun(schedule, anchor, hour, timeZone, at).toISOString(),
      created_at: at.toISOString(),
    });
  });
  const added = (await listSchedules(ctx, userId)).find((each) => each.id === id);
  if (!added) throw new AppError('conflict', 'This schedule was canceled in the meantime');
  return added;
}

/** An export in progress is finished and stays in the list, without an email. */
async function removeSchedule({ db }: ExportsContext, userId: number, id: number): Promise<void> {
  if (!(await cancelSchedule(db, userId, id))) throw new AppError('not_found', 'Schedule not found');
}

export function schedulesRoutes(app: FastifyInstance, { ctx }: Exports): void {
  route(app, listScheduled, ({ caller }) => listSchedules(ctx, caller.userId));
  route(app, scheduleExport, async ({ caller, body }) => ({
    success: true as const,
    message: 'Export scheduled successfully!',
    scheduled: await addSchedule(ctx, caller.userId, body),
  }));
  route(app, cancelScheduled, async ({ caller, params }) => {
    await removeSchedule(ctx, caller.userId, params.id);
    return { success: true as const };
  });
  route(app, getWhiteLabel, ({ caller }) => readStoredBranding(ctx, caller.userId));
  route(app, saveWhiteLabel, ({ caller, body }) => saveBranding(ctx, caller.userId, body));
}
