import { type Insertable, type Selectable, sql } from 'kysely';

import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';
import type { ExportState } from '#features/exports/contract/exports.ts';

export type ScheduleRow = Selectable<Tables['export_schedules']>;

/** A schedule and its latest run. */
export type ListedSchedule = ScheduleRow & {
  run_at: string | null;
  run_state: ExportState | null;
  run_export: string | null;
  run_error: string | null;
  retry_at: string | null;
};

/** A user's schedules, newest first, without cancelled ones. */
export async function readSchedules(db: Db, userId: number): Promise<ListedSchedule[]> {
  const { rows } =
    await sql<ListedSchedule>`select s.*, r.scheduled_for as run_at, e.state as run_state, e.id as run_export,
      e.error as run_error, r.retry_at
    from export_schedules s
    left join lateral (
      select scheduled_for, export_id, retry_at from export_runs where schedule_id = s.id order by scheduled_for desc limit 1
    ) r on true
    left join exports e on e.id = r.export_id
    where s.user_id = ${userId} and s.state <> 'cancelled' order by s.id desc`.execute(db);
  return rows;
}

/** Locks a user's schedules until the transaction ends; returns their number. */
export async function lockSchedules(tx: Db, userId: number): Promise<number> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('export_schedules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '<>', 'cancelled')
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertSchedule(tx: Db, row: Insertable<Tables['export_schedules']>): Promise<number> {
  const { id } = await tx.insertInto('export_schedules').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** False when this user has no such schedule. */
export async function cancelSchedule(db: Db, userId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('export_schedules')
    .set({ state: 'cancelled', next_run_at: null })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '<>', 'cancelled')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function dueSchedules(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('export_schedules as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('s.state', '=', 'active')
    .where('s.next_run_at', '<=', now.toISOString())
    .where('u.disabled_at', 'is', null)
    .orderBy('s.next_run_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** A schedule that is still due, locked until the transaction ends; undefined when another worker has it. */
export const takeDue = (tx: Db, id: number, now: Date): Promise<ScheduleRow | undefined> =>
  tx
    .selectFrom('export_schedules')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('next_run_at', '<=', now.toISOString())
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

export async function setNextRun(tx: Db, id: number, at: Date): Promise<void> {
  await tx.updateTable('export_schedules').set({ next_run_at: at.toISOString() }).where('id', '=', id).execute();
}

/** Users with schedules, in batches by id. */
export async function peopleAfter(db: Db, after: number, most: number) {
  const { rows } = await sql<{ user_id: number; role: 'user' | 'admin'; active: number; paused: number }>`
    select s.user_id, u.role, (count(*) filter (where s.state = 'active'))::int as active,
      (count(*) filter (where s.state = 'paused'))::int as paused
    from export_schedules s join users u on u.id = s.user_id
    where s.state <> 'cancelled' and s.user_id > ${after} and u.disabled_at is null
    group by s.user_id, u.role order by s.user_id limit ${most}`.execute(db);
  return rows;
}

/** Returns those that were active. */
export const pauseSchedules = (tx: Db, userId: number): Promise<ScheduleRow[]> =>
  tx
    .updateTable('export_schedules')
    .set({ state: 'paused', next_run_at: null })
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .returningAll()
    .execute();

export const lockPaused = (tx: Db, userId: number): Promise<ScheduleRow[]> =>
  tx
    .selectFrom('export_schedules')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'paused')
    .orderBy('id')
    .forUpdate()
    .execute();

export async function resumeSchedule(tx: Db, id: number, at: Date): Promise<void> {
  await tx
    .updateTable('export_schedules')
    .set({ state: 'active', next_run_at: at.toISOString() })
    .where('id', '=', id)
    .execute();
}

export async function findEmail(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email;
}
