import { type Insertable, type Selectable, sql } from 'kysely';

import type { Manifest } from '#features/exports/contract/exports.ts';
import type { Db, Tables } from '#kernel/db.ts';

import '../schema.ts';

export type ExportRow = Selectable<Tables['exports']>;
export type NewExport = Insertable<Tables['exports']>;

const QUOTA_LOCK = 7_246_050;
const CLAIM_LOCK = 7_246_053;
/** A process without a heartbeat for this long is gone. */
const SILENT_SECONDS = 30;

/** Null when that scheduled time already has an export. */
export async function addExport(tx: Db, row: NewExport): Promise<string | null> {
  const added = await tx
    .insertInto('exports')
    .values(row)
    .onConflict((oc) => oc.columns(['schedule_id', 'scheduled_for']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id ?? null;
}

/** Locks the account until the end of the transaction, so that its exports are counted consistently. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${QUOTA_LOCK}, ${userId}::int)`.execute(tx);
}

export type Load = { today: number; wasted: number; waiting: number; running: number };

/**
 * Exports that count towards the day from `dayStart`, those of it that failed or were cancelled, and those unfinished.
 * Scheduled ones are excluded from both.
 */
export async function readLoad(db: Db, userId: number, dayStart: Date): Promise<Load> {
  const { rows } = await sql<Load>`select
      count(*) filter (where created_at >= ${dayStart.toISOString()} and state not in ('failed', 'cancelled')) as today,
      count(*) filter (where created_at >= ${dayStart.toISOString()} and state in ('failed', 'cancelled')) as wasted,
      count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'running') as running
    from exports where user_id = ${userId} and schedule_id is null
      and (created_at >= ${dayStart.toISOString()} or state in ('waiting', 'running'))`.execute(db);
  return rows[0] ?? { today: 0, wasted: 0, waiting: 0, running: 0 };
}

export async function listExports(db: Db, userId: number, limit: number): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function findExport(db: Db, userId: number, id: string): Promise<ExportRow | undefined> {
  return db.selectFrom('exports').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
}

export type Totals = { total: number; thisMonth: number; bytes: number };

/** Over all finished exports, including expired files. */
export async function readTotals(db: Db, userId: number, monthStart: Date): Promise<Totals> {
  const { rows } =
    await sql<Totals>`select count(*) as total, count(*) filter (where created_at >= ${monthStart.toISOString()}) as "thisMonth",
      coalesce(sum(file_size), 0)::int8 as bytes
    from exports where user_id = ${userId} and state in ('done', 'expired')`.execute(db);
  return rows[0] ?? { total: 0, thisMonth: 0, bytes: 0 };
}

/** The row just inserted, claimed by this process if it is to write it now. */
export async function claim(tx: Db, id: string, now: Date | null): Promise<ExportRow> {
  if (now === null) return tx.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return tx
    .updateTable('exports')
    .set({ state: 'running', attempt: 1, started_at: now.toISOString(), beat_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Claims the oldest export that is pending or whose process has gone silent, of a user with fewer than `each` running.
 */
export async function claimNext(db: Db, each: number, now: Date): Promise<ExportRow | undefined> {
  return db.transaction().execute(async (tx) => {
    // Serialises claims: concurrent ones would not see each other's in their counts.
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(tx);
    const { rows } = await sql<ExportRow>`update exports set state = 'running', attempt = attempt + 1, rows_done = 0,
        started_at = ${now.toISOString()}, beat_at = clock_timestamp()
      where id = (select e.id from exports e
        join users u on u.id = e.user_id and u.disabled_at is null
        where (e.state = 'waiting'
          and (select count(*) from exports r where r.user_id = e.user_id and r.state = 'running') < ${each})
        or (e.state = 'running' and e.beat_at < clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}))
        order by e.created_at limit 1 for update of e skip locked)
      returning *`.execute(tx);
    return rows[0];
  });
}

type Attempt = Pick<ExportRow, 'id' | 'attempt'>;

/** False when the export was cancelled or taken over: the result of this attempt is no longer wanted. */
export async function beat(db: Db, { id, attempt }: Attempt, done: number, expected: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ rows_done: done, rows_expected: expected, beat_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type File = { fileName: string; bytes: number; rows: number; sha256: string; manifest: Manifest };

/** Undefined when the export has since been cancelled or taken over. */
export async function finish(
  tx: Db,
  { id, attempt }: Attempt,
  file: File,
  at: Date,
  expiresAt: Date,
): Promise<ExportRow | undefined> {
  return tx
    .updateTable('exports')
    .set({
      state: 'done',
      file_name: file.fileName,
      file_size: file.bytes,
      rows: file.rows,
      rows_done: file.rows,
      sha256: file.sha256,
      manifest: JSON.stringify(file.manifest) as unknown as Manifest,
      finished_at: at.toISOString(),
      expires_at: expiresAt.toISOString(),
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst();
}

export async function fail(tx: Db, { id, attempt }: Attempt, error: string, at: Date): Promise<ExportRow | undefined> {
  return tx
    .updateTable('exports')
    .set({ state: 'failed', error, finished_at: at.toISOString() })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst();
}

/** Returns it to the queue, for this process or another. */
export async function releaseClaim(tx: Db, { id, attempt }: Attempt): Promise<ExportRow | undefined> {
  return tx
    .updateTable('exports')
    .set({ state: 'waiting', rows_done: 0, started_at: null, beat_at: null })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst();
}

/** Cancels an unfinished export, or expires a finished one; undefined when there was nothing to do. */
export async function dismiss(tx: Db, userId: number, id: string, at: Date): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`update exports set
      state = case when state = 'done' then 'expired' else 'cancelled' end,
      finished_at = coalesce(finished_at, ${at.toISOString()}), expires_at = case when state = 'done' then ${at.toISOString()}::timestamptz end
    where user_id = ${userId} and id = ${id}::uuid and state in ('waiting', 'running', 'done') returning *`.execute(tx);
  return rows[0];
}

export async function expireDue(db: Db, at: Date): Promise<void> {
  await db
    .updateTable('exports')
    .set({ state: 'expired' })
    .where('state', '=', 'done')
    .where('expires_at', '<=', at.toISOString())
    .execute();
}

export type Kept = Pick<ExportRow, 'id' | 'attempt' | 'state'>;

/** Exports among these ids that may still have files. */
export async function findKept(db: Db, ids: readonly string[]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`select id, attempt, state from exports where id = any(${[...ids]}::uuid[])
    and state in ('running', 'done')`.execute(db);
  return rows;
}
