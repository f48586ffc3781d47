import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column key_fingerprint text`.execute(db);

  // The body is sealed: it holds links. It is null once the mail was sent.
  await sql`create table mail_outbox (
    id bigint generated always as identity primary key,
    kind text not null,
    address text not null,
    subject text not null,
    state text not null check (state in ('kept', 'waiting', 'sent', 'failed')),
    body text,
    note text,
    tries smallint not null default 0,
    created_at timestamptz not null,
    next_at timestamptz,
    sent_at timestamptz,
    view_hash bytea unique
  )`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (next_at) where state = 'waiting'`.execute(db);
  await sql`create index mail_outbox_created on mail_outbox (created_at)`.execute(db);
}
