import { sql } from 'kysely';
import type { ExportFormat, ExportState, ExportType, WhiteLabel } from '#features/exports/contract/exports.ts';
import type { Db } from '#kernel/db.ts';

import '../schema.ts';

/** False when the schedule has already run for that time. */
export async function insertRun(tx: Db, scheduleId: number, scheduledFor: Date): Promise<boolean> {
  const row = await tx
    .insertInto('export_runs')
    .values({ schedule_id: scheduleId, scheduled_for: scheduledFor.toISOString() })
    .onConflict((on) => on.columns(['schedule_id', 'scheduled_for']).doNothing())
    .returning('schedule_id')
    .executeTakeFirst();
  return row !== undefined;
}

export type RunKey = { scheduleId: number; scheduledFor: string };
const ofRun = ({ scheduleId, scheduledFor }: RunKey) =>
  sql<boolean>`schedule_id = ${scheduleId} and scheduled_for = ${scheduledFor}::timestamptz`;

export async function setExport(tx: Db, key: RunKey, exportId: string): Promise<void> {
  await tx.updateTable('export_runs').set({ export_id: exportId }).where(ofRun(key)).execute();
}

/** A run whose export has ended, or that is due for a retry. `exportId` is null when it was deleted. */
export type EndedRun = RunKey & {
  userId: number;
  name: string;
  isWanted: boolean;
  isCancelled: boolean;
  timeZone: string;
  exportId: string | null;
  tries: number;
  retryAt: string | null;
  state: ExportState | null;
  error: string | null;
  dataTypes: ExportType[];
  format: ExportFormat;
  fileName: string | null;
  fileSize: number | null;
  rows: number | null;
  expiresAt: string | null;
};

const isOpen = (now: Date) => sql<boolean>`r.told_at is null
  and (r.retry_at is null or r.retry_at <= ${now.toISOString()}::timestamptz)
  and (e.id is null or e.state in ('done', 'failed', 'cancelled', 'expired'))
  and not exists (select from export_schedules own join users u on u.id = own.user_id
    where own.id = r.schedule_id and u.disabled_at is not null)`;

export async function endedRuns(db: Db, now: Date): Promise<RunKey[]> {
  const { rows } = await sql<RunKey>`select r.schedule_id as "scheduleId", r.scheduled_for as "scheduledFor"
    from export_runs r left join exports e on e.id = r.export_id
    where ${isOpen(now)} order by r.scheduled_for, r.schedule_id`.execute(db);
  return rows;
}

/** A run that is still unsettled, locked until the transaction ends; undefined when another worker has it. */
export async function claimEnded(
  tx: Db,
  { scheduleId, scheduledFor }: RunKey,
  now: Date,
): Promise<EndedRun | undefined> {
  const { rows } = await sql<EndedRun>`select r.schedule_id as "scheduleId", r.scheduled_for as "scheduledFor",
      s.user_id as "userId", s.name, s.email_notification as "isWanted", s.state = 'cancelled' as "isCancelled",
      s.time_zone as "timeZone", e.id as "exportId", r.tries, r.retry_at as "retryAt", e.state, e.error,
      s.data_types as "dataTypes", s.format, e.file_name as "fileName", e.file_size as "fileSize", e.rows,
      e.expires_at as "expiresAt"
    from export_runs r join export_schedules s on s.id = r.schedule_id left join exports e on e.id = r.export_id
    where r.schedule_id = ${scheduleId}::bigint and r.scheduled_for = ${scheduledFor}::timestamptz and ${isOpen(now)}
    for update of r skip locked`.execute(tx);
  return rows[0];
}

export async function setRetry(tx: Db, key: RunKey, at: Date): Promise<void> {
  await tx.updateTable('export_runs').set({ retry_at: at.toISOString() }).where(ofRun(key)).execute();
}

/** Requeues the failed export of a run. */
export async function tryAgain(tx: Db, key: RunKey, exportId: string): Promise<void> {
  await sql`update export_runs set tries = tries + 1, retry_at = null where ${ofRun(key)}`.execute(tx);
  await sql`update exports set state = 'waiting', error = null, started_at = null, finished_at = null, rows_done = 0,
      attempt = 0, beat_at = null
    where id = ${exportId}::uuid and state = 'failed'`.execute(tx);
}

export async function markNotified(tx: Db, key: RunKey, at: Date): Promise<void> {
  await tx.updateTable('export_runs').set({ told_at: at.toISOString(), retry_at: null }).where(ofRun(key)).execute();
}

export const findBranding = (db: Db, userId: number): Promise<WhiteLabel | undefined> =>
  db.selectFrom('export_looks').select(['name', 'logo', 'colour']).where('user_id', '=', userId).executeTakeFirst();

export async function saveBrandingRow(db: Db, userId: number, look: WhiteLabel, at: Date): Promise<void> {
  const row = { ...look, updated_at: at.toISOString() };
  await db
    .insertInto('export_looks')
    .values({ user_id: userId, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute();
}

/** 'user' for a deleted account. */
export async function readRole(db: Db, userId: number): Promise<'user' | 'admin'> {
  const row = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst();
  return row?.role ?? 'user';
}
