import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function contact(db: Kysely<unknown>): Promise<void> {
  await sql`create table contact_messages (
    id bigint generated always as identity primary key,
    user_id bigint references users (id) on delete cascade,
    name text not null,
    email text not null,
    subject text not null,
    message text not null,
    screenshot bytea,
    screenshot_type text,
    status text not null check (status in ('new', 'open', 'settled', 'spam')),
    created_at timestamptz not null,
    settled_at timestamptz
  )`.execute(db);
  await sql`create index contact_messages_status on contact_messages (status, id desc)`.execute(db);
  await sql`create index contact_messages_user on contact_messages (user_id) where user_id is not null`.execute(db);
}

async function errorLogs(db: Kysely<unknown>): Promise<void> {
  await sql`create table error_groups (
    id bigint generated always as identity primary key,
    fingerprint text not null unique,
    source text not null,
    type text not null check (type in ('api_failure', 'data_collection', 'authentication', 'system', 'other')),
    message text not null,
    details text,
    request_id text,
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    count bigint not null check (count > 0),
    resolved_at timestamptz
  )`.execute(db);
  await sql`create index error_groups_last_seen on error_groups (last_seen desc, id desc)`.execute(db);

  await sql`alter table error_logs add group_id bigint references error_groups (id) on delete cascade`.execute(db);
  await sql`create index error_logs_group on error_logs (group_id)`.execute(db);

  // Existing errors are grouped by their exact text.
  await sql`insert into error_groups (fingerprint, source, type, message, details, first_seen, last_seen, count)
    select md5(source || chr(10) || type || chr(10) || message), source, type, message,
      (array_agg(details order by timestamp desc, id desc))[1], min(timestamp), max(timestamp), count(*)
    from error_logs group by source, type, message`.execute(db);
  await sql`update error_logs as e set group_id = g.id from error_groups as g
    where g.fingerprint = md5(e.source || chr(10) || e.type || chr(10) || e.message)`.execute(db);
}

async function statusPage(db: Kysely<unknown>): Promise<void> {
  // Every minute from measured_from until before measured_to was checked; unhealthy ones are in status_lapses.
  await sql`create table status_components (
    component text primary key,
    began_at timestamptz not null,
    measured_from timestamptz not null,
    measured_to timestamptz not null check (measured_to >= measured_from),
    -- since when it has not been well without a break
    lapse_from timestamptz
  )`.execute(db);

  await sql`create table status_lapses (
    component text not null,
    minute timestamptz not null,
    state text not null check (state in ('degraded', 'down')),
    primary key (component, minute)
  )`.execute(db);

  await sql`create table status_days (
    component text not null,
    day date not null,
    measured integer not null check (measured >= degraded + down),
    degraded integer not null check (degraded >= 0),
    down integer not null check (down >= 0),
    primary key (component, day)
  )`.execute(db);

  await sql`create table incidents (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('measured', 'written')),
    title text not null,
    impact text not null check (impact in ('none', 'minor', 'major', 'maintenance')),
    components text[] not null,
    starts_at timestamptz not null,
    ends_at timestamptz,
    created_at timestamptz not null,
    created_by bigint references users (id) on delete set null,
    retracted_at timestamptz,
    retracted_by bigint references users (id) on delete set null
  )`.execute(db);
  await sql`create index incidents_starts on incidents (starts_at desc)`.execute(db);
  // Only one measured incident is open at a time.
  await sql`create unique index incidents_open on incidents (kind) where kind = 'measured' and ends_at is null`.execute(
    db,
  );

  await sql`create table incident_updates (
    id bigint generated always as identity primary key,
    incident_id bigint not null references incidents (id) on delete cascade,
    stage text not null check (stage in ('investigating', 'identified', 'monitoring', 'resolved')),
    message text not null,
    at timestamptz not null,
    author_id bigint references users (id) on delete set null
  )`.execute(db);
  await sql`create index incident_updates_of on incident_updates (incident_id, id)`.execute(db);
}

/** Counts for the admin overview, so that it scans no whole table. */
async function adminCounts(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_created on users (created_at)`.execute(db);
  await sql`create index users_admins on users (id) where role = 'admin'`.execute(db);
  await sql`create index entitlements_newest on entitlements (user_id, source, id desc) include (plan, starts_at, ends_at)`.execute(
    db,
  );
  await sql`create index mail_outbox_failed on mail_outbox (id) where state = 'failed'`.execute(db);
  await sql`create index usdc_deposits_suspense on usdc_deposits (at)
    where is_credited and payment_id is null and owner_id is null`.execute(db);
}

export const siteMigrations: Migrations = {
  '0023-contact': { up: contact },
  '0024-error-logs': { up: errorLogs },
  '0027-status': { up: statusPage },
  '0055-admin-counts': { up: adminCounts },
};
