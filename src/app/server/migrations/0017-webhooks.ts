import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table webhooks (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null,
    url text not null,
    host text not null,
    format text not null check (format in ('generic', 'discord', 'slack')),
    secret text not null,
    old_secret text,
    old_secret_until timestamptz,
    enabled boolean not null,
    created_at timestamptz not null,
    last_at timestamptz,
    last_state text,
    last_note text,
    failures integer not null default 0,
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text
  )`.execute(db);
  await sql`create index webhooks_user on webhooks (user_id)`.execute(db);

  await sql`create table webhook_attempts (
    id bigint generated always as identity primary key,
    webhook_id bigint not null references webhooks (id) on delete cascade,
    delivery_id bigint,
    kind text not null,
    at timestamptz not null,
    state text not null check (state in ('sent', 'later', 'failed', 'dropped')),
    status integer,
    ms integer not null,
    note text not null
  )`.execute(db);
  await sql`create index webhook_attempts_hook on webhook_attempts (webhook_id, id desc)`.execute(db);
  await sql`create index webhook_attempts_delivery on webhook_attempts (delivery_id) where delivery_id is not null`.execute(
    db,
  );
  await sql`create index webhook_attempts_at on webhook_attempts (at)`.execute(db);
}
