import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One pair for all processes: browsers subscribe to its public half.
  await sql`create table push_keys (
    one boolean primary key default true check (one),
    public_key text not null,
    sealed_private_key text not null,
    created_at timestamptz not null
  )`.execute(db);

  // A browser ends with its session: news of an account must not reach one that has signed out.
  await sql`create table push_browsers (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    session_id bigint references sessions on delete cascade,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    device text not null,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index push_browsers_user on push_browsers (user_id, id)`.execute(db);
  await sql`create index push_browsers_session on push_browsers (session_id)`.execute(db);
}
