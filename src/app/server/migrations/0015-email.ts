import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // News wait behind what somebody waits for. How an address refused it.
  await sql`alter table mail_outbox
    add column bulk boolean not null default false,
    add column expires_at timestamptz,
    add column bounce text check (bounce in ('hard', 'soft'))`.execute(db);
  await sql`drop index mail_outbox_waiting`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (bulk, next_at) where state = 'waiting'`.execute(db);
  await sql`create index mail_outbox_bounced on mail_outbox (address) where bounce = 'soft'`.execute(db);

  // A notification has at most one mail; a digest carries many.
  await sql`create table mail_deliveries (
    delivery_id bigint primary key,
    mail_id bigint not null references mail_outbox (id) on delete cascade
  )`.execute(db);
  await sql`create index mail_deliveries_mail on mail_deliveries (mail_id)`.execute(db);

  // Addresses of accounts that refuse mail, as a keyed hash; whose it was then, so that nobody is told by a way that does not work.
  await sql`create table mail_suppressions (
    address_hash bytea primary key,
    user_id bigint not null references users (id) on delete cascade,
    reason text not null check (reason in ('refused', 'unreachable')),
    note text not null,
    until timestamptz,
    at timestamptz not null,
    check ((reason = 'unreachable') = (until is not null))
  )`.execute(db);
  await sql`create index mail_suppressions_user on mail_suppressions (user_id)`.execute(db);
}
