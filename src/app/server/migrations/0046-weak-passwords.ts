import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null until a password is seen again: a hash does not say how easy it is to guess.
  await sql`alter table users add column password_weak boolean`.execute(db);
}
