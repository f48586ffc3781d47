import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

export type Run = { name: string; state: 'active' | 'waiting'; since: string; worker: string | null };
export type JobRecord = {
  name: string;
  succeeded_at: string | null;
  succeeded_ms: number | null;
  failed_at: string | null;
  error: string | null;
};
export type StoredFailure = {
  id: string;
  name: string;
  data: unknown;
  output: unknown;
  retry_count: number;
  completed_on: string;
  total: number;
};

/** Running or queued, oldest first. */
export async function openRuns(db: Db): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select job.name, case when state = 'active' then 'active' else 'waiting' end as state,
      coalesce(started_on, created_on) as since, worker
    from pgboss.job left join job_workers on job_id = job.id and state = 'active'
    where state in ('created', 'retry', 'active')
    order by since`.execute(db);
  return rows;
}

export async function jobRecords(db: Db): Promise<JobRecord[]> {
  const { rows } =
    await sql<JobRecord>`select name, succeeded_at, succeeded_ms, failed_at, error from job_records`.execute(db);
  return rows;
}

export async function countDailyFailures(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from pgboss.job
    where state = 'failed' and completed_on > now() - interval '24 hours'
    group by name`.execute(db);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** The newest ones; `total` counts all. */
export async function failedRuns(db: Db, names: readonly string[], count: number): Promise<StoredFailure[]> {
  const { rows } = await sql<StoredFailure>`
    select id, name, data, output, retry_count, completed_on, count(*) over ()::int as total
    from pgboss.job
    where state = 'failed' and name = any(${names})
    order by completed_on desc, id
    limit ${count}`.execute(db);
  return rows;
}

export type FoundRun = { id: string; name: string; state: string; singleton_key: string | null; output: unknown };

export async function findRuns(db: Db, ids: readonly string[]): Promise<FoundRun[]> {
  const { rows } = await sql<FoundRun>`
    select id, name, state::text, singleton_key, output from pgboss.job where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Serialises manual starts of the jobs until the end of the transaction. */
export async function lockJobs(tx: Db, names: readonly string[]): Promise<void> {
  for (const name of names.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`job ${name}`}, 0))`.execute(tx);
}

/** Which of the jobs are running or due; with a key, only those with the same key. */
export async function findRunning(tx: Db, names: readonly string[], key?: string | null): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from pgboss.job
    where name = any(${names}) and state in ('created', 'retry', 'active') and start_after <= now()
      and (${key === undefined} or coalesce(singleton_key, '') = ${key ?? ''})
    order by name`.execute(tx);
  return rows.map(({ name }) => name);
}
