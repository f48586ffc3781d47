import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function platform(db: Kysely<unknown>): Promise<void> {
  await sql`create table installation (
    only_row boolean primary key default true check (only_row),
    data_mode text not null check (data_mode in ('live', 'demo')),
    demo_seed integer,
    created_at timestamptz not null
  )`.execute(db);

  await sql`create table error_logs (
    id bigint generated always as identity primary key,
    source text not null,
    type text not null check (type in ('api_failure', 'data_collection', 'authentication', 'system', 'other')),
    message text not null,
    details text,
    timestamp timestamptz not null
  )`.execute(db);
  await sql`create index error_logs_timestamp on error_logs (timestamp desc)`.execute(db);

  await sql`create table process_heartbeats (
    minute timestamptz not null,
    process_id text not null,
    role text not null,
    primary key (minute, process_id)
  )`.execute(db);

  await sql`create table source_states (
    source text primary key,
    state text not null,
    note text,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    updated_at timestamptz not null
  )`.execute(db);

  // A crash empties the table, but its ids must not restart: clients resume by id.
  await sql`create sequence live_frame_ids`.execute(db);
  await sql`create unlogged table live_frames (
    id bigint primary key default nextval('live_frame_ids'),
    topic text not null,
    body text not null
  )`.execute(db);
  // The lock is held until commit, so that ids become visible in order.
  await sql`create function publish_frame(topic text, body text) returns bigint language plpgsql as $$
    declare frame_id bigint;
    begin
      perform pg_advisory_xact_lock(7246002);
      insert into live_frames (topic, body) values (topic, body) returning id into frame_id;
      if frame_id % 64 = 0 then delete from live_frames where id <= frame_id - 256; end if;
      perform pg_notify('live', frame_id::text);
      return frame_id;
    end $$`.execute(db);
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await sql`create table setting_changes (
    id bigint generated always as identity primary key,
    key text not null,
    value text,
    changed_by bigint references users (id) on delete set null,
    changed_at timestamptz not null,
    note text not null
  )`.execute(db);
  await sql`create index setting_changes_key on setting_changes (key, id desc)`.execute(db);
}

async function jobs(db: Kysely<unknown>): Promise<void> {
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

async function leaders(db: Kysely<unknown>): Promise<void> {
  // The leader of each lock. A leader of an older epoch can no longer write; a silent one is cut off by a candidate.
  await sql`create table leaders (
    key bigint primary key,
    epoch bigint not null,
    process text not null,
    backend integer not null,
    taken_at timestamptz not null,
    beat_at timestamptz not null
  )`.execute(db);
}

async function auditChain(db: Kysely<unknown>): Promise<void> {
  await sql`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is append-only'; end $$`.execute(db);

  // Each hash covers the entry and the previous hash, in commit order.
  await sql`create table audit_chain (
    place bigint primary key,
    audit_id bigint not null unique references audit_log (id),
    hash bytea not null
  )`.execute(db);

  await sql`create function audit_text(entry audit_log) returns text language sql stable as $$
    select jsonb_build_array(entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      entry.actor_id, entry.subject_id, entry.action, entry.details, entry.network)::text $$`.execute(db);

  // At the end of the transaction, so that this lock is always taken last, which prevents deadlocks.
  await sql`create function chain_audit_entry() returns trigger language plpgsql as $$
    declare last_place bigint; last_hash bytea;
    begin
      perform pg_advisory_xact_lock(7246125);
      select place, hash into last_place, last_hash from audit_chain order by place desc limit 1;
      insert into audit_chain (place, audit_id, hash) values (coalesce(last_place, 0) + 1, new.id,
        sha256(coalesce(last_hash, ''::bytea) || convert_to(audit_text(new), 'UTF8')));
      return null;
    end $$`.execute(db);

  await sql`do $$
    declare entry audit_log; place bigint := 0; last_hash bytea := ''::bytea;
    begin
      for entry in select * from audit_log order by id loop
        place := place + 1;
        last_hash := sha256(last_hash || convert_to(audit_text(entry), 'UTF8'));
        insert into audit_chain (place, audit_id, hash) values (place, entry.id, last_hash);
      end loop;
    end $$`.execute(db);

  await sql`create constraint trigger audit_log_is_chained after insert on audit_log
    deferrable initially deferred for each row execute function chain_audit_entry()`.execute(db);
  for (const table of ['audit_log', 'audit_chain']) {
    await sql`create trigger ${sql.raw(table)}_is_append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_audit_change()`.execute(db);
    await sql`create trigger ${sql.raw(table)}_is_not_emptied before truncate on ${sql.table(table)}
      for each statement execute function refuse_audit_change()`.execute(db);
  }

  // The first position that does not follow from those before it, 0 for an entry outside the chain; null when the log
  // is intact.
  await sql`create function broken_audit_place() returns bigint language sql stable as $$
    select min(coalesce(place, 0)) from (
      select c.place, c.hash, a.id is null as missing,
        sha256(coalesce(lag(c.hash) over (order by c.place), ''::bytea) || convert_to(audit_text(a), 'UTF8')) as wanted,
        row_number() over (order by c.place) as nth
      from audit_chain c full join audit_log a on a.id = c.audit_id
    ) as chain where place is null or missing or place <> nth or hash is distinct from wanted $$`.execute(db);
}

export const platformMigrations: Migrations = {
  '0001-platform': { up: platform },
  '0028-settings': { up: settings },
  '0029-jobs': { up: jobs },
  '0035-leaders': { up: leaders },
  '0047-audit-chain': { up: auditChain },
};
