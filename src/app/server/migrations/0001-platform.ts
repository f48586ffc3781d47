import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
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

  // The table is emptied by a crash, its ids must not start again: readers resume by id.
  await sql`create sequence live_frame_ids`.execute(db);
  await sql`create unlogged table live_frames (
    id bigint primary key default nextval('live_frame_ids'),
    topic text not null,
    body text not null
  )`.execute(db);
  // The lock lasts to the commit, so that ids become visible in their own order.
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
