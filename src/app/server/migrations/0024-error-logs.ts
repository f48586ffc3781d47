import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
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

  // What was stored before is grouped by its exact words.
  await sql`insert into error_groups (fingerprint, source, type, message, details, first_seen, last_seen, count)
    select md5(source || chr(10) || type || chr(10) || message), source, type, message,
      (array_agg(details order by timestamp desc, id desc))[1], min(timestamp), max(timestamp), count(*)
    from error_logs group by source, type, message`.execute(db);
  await sql`update error_logs as e set group_id = g.id from error_groups as g
    where g.fingerprint = md5(e.source || chr(10) || e.type || chr(10) || e.message)`.execute(db);
}
