import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Wrong codes of the app since the last right one, and until when the next code has to wait.
  await sql`alter table two_factor
    add column wrong_codes integer not null default 0,
    add column wait_until timestamptz`.execute(db);
}
