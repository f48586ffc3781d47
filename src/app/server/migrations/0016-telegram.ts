import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What is known of each bot this installation has used; its id is the number before the colon of its token.
  await sql`create table telegram_bots (
    bot_id bigint primary key,
    username text not null,
    -- where the next reading begins, and since when that is known: Telegram starts a new count after a quiet week
    next_update_id bigint,
    updated_at timestamptz not null
  )`.execute(db);

  // One chat of a person and one person of a chat.
  await sql`create table telegram_chats (
    user_id bigint primary key references users (id) on delete cascade,
    bot_id bigint not null,
    chat_id bigint not null,
    linked_at timestamptz not null,
    -- the update that linked it, which may come twice
    linked_by bigint not null,
    blocked_at timestamptz,
    -- when the next message may go to this chat
    free_at timestamptz not null,
    unique (bot_id, chat_id)
  )`.execute(db);

  // Found by its keyed hash; the sealed copy is for its owner alone. A row is deleted once it is used or has expired.
  await sql`create table telegram_codes (
    code_hash bytea primary key,
    user_id bigint not null unique references users (id) on delete cascade,
    sealed_code text not null,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index telegram_codes_expires on telegram_codes (expires_at)`.execute(db);

  await sql`create table telegram_attempts (
    key text primary key,
    hits integer not null,
    resets_at timestamptz not null,
    -- an update that comes twice is one try
    last_update_id bigint
  )`.execute(db);
}
