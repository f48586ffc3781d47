import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who leads by each lock. A leader of an older epoch can no longer write; one that is silent is cut off by whoever waits.
  await sql`create table leaders (
    key bigint primary key,
    epoch bigint not null,
    process text not null,
    backend integer not null,
    taken_at timestamptz not null,
    beat_at timestamptz not null
  )`.execute(db);
}
