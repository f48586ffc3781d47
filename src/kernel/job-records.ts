import { hostname } from 'node:os';

import type pg from 'pg';

type Pool = Pick<pg.Pool, 'query'>;

/** This process, as the job board names it. */
export const WORKER = `${hostname()}:${process.pid}`;

export type JobEnd = { name: string; ms: number; error: string | null };

/** Records which process runs the job; a run that was lost and reassigned names the new process. */
export async function recordJobStart(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `insert into job_workers (job_id, worker, at) values ($1, $2, now())
     on conflict (job_id) do update set worker = excluded.worker, at = excluded.at`,
    [id, WORKER],
  );
}

/** Records how the job ended, because the queue deletes that within a day. `id` is null for a manual run. */
export async function recordJobEnd(pool: Pool, id: string | null, { name, ms, error }: JobEnd): Promise<void> {
  if (id !== null) await pool.query('delete from job_workers where job_id = $1', [id]);
  if (error === null)
    await pool.query(
      `insert into job_records (name, succeeded_at, succeeded_ms) values ($1, now(), $2)
       on conflict (name) do update set succeeded_at = excluded.succeeded_at, succeeded_ms = excluded.succeeded_ms`,
      [name, Math.round(ms)],
    );
  else
    await pool.query(
      `insert into job_records (name, failed_at, error) values ($1, now(), $2)
       on conflict (name) do update set failed_at = excluded.failed_at, error = excluded.error`,
      [name, error],
    );
}

/** Deletes records of processes that ended in the middle of a job. */
export async function deleteLostWorkers(pool: Pool): Promise<void> {
  await pool.query(`delete from job_workers where at < now() - interval '1 day'`);
}
