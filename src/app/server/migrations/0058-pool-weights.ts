import { type Kysely, sql } from 'kysely';

/** What an answer weighed in the consensus at each horizon; null where all weighed alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table analysis_answers add column weights jsonb`.execute(db);
}
