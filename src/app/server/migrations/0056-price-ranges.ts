import { type Kysely, sql } from 'kysely';

/** Price ranges frozen with a call, and the quantiles that they are compared with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table predictions add column ranges jsonb, add column trailing_ranges jsonb`.execute(db);
  await sql`create index predictions_ranges on predictions (analysis_id) where ranges is not null`.execute(db);
}
