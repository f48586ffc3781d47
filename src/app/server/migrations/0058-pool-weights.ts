import { type Kysely, sql } from 'kysely';

/** The weight of an answer in the consensus at each horizon; null for equal weights. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table analysis_answers add column weights jsonb`.execute(db);
}
