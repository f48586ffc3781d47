import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The record as the dashboard showed it after each scoring, for earlier moments.
  await sql`create table prediction_records (
    scored_at timestamptz primary key,
    body jsonb not null
  )`.execute(db);
}
