import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table setting_changes (
    id bigint generated always as identity primary key,
    key text not null,
    value text,
    changed_by bigint references users (id) on delete set null,
    changed_at timestamptz not null,
    note text not null
  )`.execute(db);
  await sql`create index setting_changes_key on setting_changes (key, id desc)`.execute(db);
}
