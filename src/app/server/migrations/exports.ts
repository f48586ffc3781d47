import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function exported(db: Kysely<unknown>): Promise<void> {
  await sql`create table export_schedules (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    name text not null,
    schedule text not null check (schedule in ('daily', 'weekly', 'monthly')),
    data_types text[] not null,
    date_range text not null,
    format text not null,
    include_metadata boolean not null,
    compression boolean not null,
    email_notification boolean not null,
    time_zone text not null,
    hour smallint not null check (hour between 0 and 23),
    -- day of the week (1 is Monday) or of the month on which it was made
    anchor smallint not null,
    state text not null check (state in ('active', 'paused', 'cancelled')),
    next_run_at timestamptz,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index export_schedules_due on export_schedules (next_run_at) where state = 'active'`.execute(db);
  await sql`create index export_schedules_user on export_schedules (user_id)`.execute(db);

  await sql`create table exports (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    schedule_id bigint references export_schedules,
    -- the moment of the schedule it was made for: one file each
    scheduled_for timestamptz,
    -- asked for in the form of the basic page, whose 'all_data' holds fewer kinds
    basic boolean not null,
    data_types text[] not null,
    date_range text not null,
    range_from timestamptz,
    range_to timestamptz not null,
    format text not null,
    include_metadata boolean not null,
    compression boolean not null,
    state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
    -- how often it was begun; only the newest attempt may finish it, and it is alive while it beats
    attempt smallint not null default 0,
    beat_at timestamptz,
    rows_expected bigint not null default 0,
    rows_done bigint not null default 0,
    file_name text,
    file_size bigint,
    rows bigint,
    sha256 text,
    manifest jsonb,
    error text,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz,
    unique (schedule_id, scheduled_for),
    check (state <> 'done' or (file_name is not null and file_size is not null and sha256 is not null and manifest is not null))
  )`.execute(db);
  await sql`create index exports_user on exports (user_id, created_at desc)`.execute(db);
  await sql`create index exports_expiry on exports (expires_at) where state = 'done'`.execute(db);
  await sql`create index exports_open on exports (created_at) where state in ('waiting', 'running')`.execute(db);

  // One row for each time a schedule ran.
  await sql`create table export_runs (
    schedule_id bigint not null references export_schedules on delete cascade,
    scheduled_for timestamptz not null,
    export_id uuid references exports on delete set null,
    tries smallint not null default 1,
    retry_at timestamptz,
    told_at timestamptz,
    primary key (schedule_id, scheduled_for)
  )`.execute(db);
  await sql`create index export_runs_open on export_runs (schedule_id) where told_at is null`.execute(db);
  await sql`create index export_runs_export on export_runs (export_id)`.execute(db);

  await sql`create table export_looks (
    user_id bigint primary key references users on delete cascade,
    name text,
    logo text,
    colour text,
    updated_at timestamptz not null
  )`.execute(db);
}

export const exportsMigrations: Migrations = {
  '0020-exports': { up: exported },
};
