import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table job_records (
    name text primary key,
    succeeded_at timestamptz,
    succeeded_ms integer,
    failed_at timestamptz,
    error text
  )`.execute(db);
  await sql`create table job_workers (
    job_id uuid primary key,
    worker text not null,
    at timestamptz not null
  )`.execute(db);
  await sql`create table source_collections (
    source text primary key,
    asked_at timestamptz not null,
    asked_by bigint references users (id) on delete set null,
    job_ids uuid[] not null,
    success_before timestamptz,
    failure_before timestamptz
  )`.execute(db);
}
