import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When an administrator had it begin anew: what a channel remembers of before does not count.
  await sql`alter table notification_deliveries add column restarted_at timestamptz`.execute(db);

  // How long alerts took to the open streams of people: so many of them in so many milliseconds.
  await sql`create table in_app_handings (
    id bigint generated always as identity primary key,
    handed_at timestamptz not null,
    ms integer not null check (ms >= 0),
    streams integer not null check (streams > 0)
  )`.execute(db);
  await sql`create index in_app_handings_at on in_app_handings (handed_at)`.execute(db);
}
