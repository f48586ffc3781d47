import { type Kysely, sql } from 'kysely';

/** What the overview of administrators counts, so that it reads no whole table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_created on users (created_at)`.execute(db);
  await sql`create index users_admins on users (id) where role = 'admin'`.execute(db);
  await sql`create index entitlements_newest on entitlements (user_id, source, id desc) include (plan, starts_at, ends_at)`.execute(
    db,
  );
  await sql`create index mail_outbox_failed on mail_outbox (id) where state = 'failed'`.execute(db);
  await sql`create index usdc_deposits_suspense on usdc_deposits (at)
    where is_credited and payment_id is null and owner_id is null`.execute(db);
}
