import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table contact_messages (
    id bigint generated always as identity primary key,
    user_id bigint references users (id) on delete cascade,
    name text not null,
    email text not null,
    subject text not null,
    message text not null,
    screenshot bytea,
    screenshot_type text,
    status text not null check (status in ('new', 'open', 'settled', 'spam')),
    created_at timestamptz not null,
    settled_at timestamptz
  )`.execute(db);
  await sql`create index contact_messages_status on contact_messages (status, id desc)`.execute(db);
  await sql`create index contact_messages_user on contact_messages (user_id) where user_id is not null`.execute(db);
}
