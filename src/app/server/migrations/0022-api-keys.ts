import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table api_keys (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null,
    hash bytea not null unique,
    old_hash bytea unique,
    old_until timestamptz,
    hint text not null,
    scopes text[] not null,
    created_at timestamptz not null,
    last_used timestamptz,
    usage_count bigint not null default 0,
    ended_at timestamptz
  )`.execute(db);
  await sql`create index api_keys_user on api_keys (user_id, id desc)`.execute(db);

  // Of a day, leased units are those that a process holds and has neither spent nor given back.
  await sql`create table api_days (
    user_id bigint not null references users (id) on delete cascade,
    day date not null,
    spent integer not null default 0,
    leased integer not null default 0,
    refused integer not null default 0,
    told smallint not null default 0,
    primary key (user_id, day)
  )`.execute(db);
}
