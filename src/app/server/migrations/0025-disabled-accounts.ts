import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users
    add column disabled_at timestamptz,
    add column disabled_by bigint,
    add column disabled_reason text,
    add constraint users_disabled check ((disabled_at is null) = (disabled_reason is null))`.execute(db);

  await sql`create index audit_log_actor on audit_log (actor_id, id desc)`.execute(db);
  await sql`create index audit_log_action on audit_log (action text_pattern_ops, id desc)`.execute(db);
  await sql`create index audit_log_at on audit_log (at)`.execute(db);
}
