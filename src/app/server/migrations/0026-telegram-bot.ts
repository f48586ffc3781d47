import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Off by /stop: alerts still come.
  await sql`alter table users add column telegram_announcements boolean not null default true`.execute(db);

  // A generated column cannot be changed.
  await sql`alter table notification_events drop column category,
    add column category text not null generated always as (case
      when kind in ('CUSTOM_THRESHOLD', 'RULES_PAUSED') then 'rules'
      when kind in ('AI_CONSENSUS_BULLISH', 'AI_CONSENSUS_BEARISH') then 'ai'
      when kind = 'INFLATION_SURPRISE' then 'inflation'
      when kind = 'EVENT_REMINDER' then 'events'
      when kind = 'PRODUCT_NEWS' then 'product'
      when kind = 'BOT_ANNOUNCEMENT' then 'announcements'
      -- in the app only: each person's own reminders tell of events
      when kind = 'UPCOMING_EVENT' then 'none'
      else 'market' end) stored`.execute(db);

  // Counts are written when nothing waits any more; until then they are counted.
  await sql`create table telegram_broadcasts (
    id bigint generated always as identity primary key,
    -- chosen by the browser: the same one makes no second broadcast
    key uuid not null unique,
    text text not null,
    audience text not null check (audience in ('all', 'free', 'pro', 'premium')),
    -- whom it was for when it was sent off
    people integer not null,
    created_at timestamptz not null,
    created_by bigint references users (id) on delete set null,
    cancelled_at timestamptz,
    finished_at timestamptz,
    sent integer not null default 0,
    failed integer not null default 0,
    skipped integer not null default 0,
    cancelled integer not null default 0
  )`.execute(db);
  await sql`create index telegram_broadcasts_open on telegram_broadcasts (id) where finished_at is null`.execute(db);

  // What was asked of the bot, without a word of it.
  await sql`create table telegram_commands (
    id bigint generated always as identity primary key,
    bot_id bigint not null,
    update_id bigint not null,
    command text not null,
    outcome text not null,
    at timestamptz not null,
    -- an update may come twice
    unique (bot_id, update_id)
  )`.execute(db);
  await sql`create index telegram_commands_at on telegram_commands (at)`.execute(db);

  await sql`alter table telegram_bots
    -- who looks after the bot, and since when
    add column worker text,
    add column worker_since timestamptz,
    -- the last reading that Telegram answered, the last update, the last failure
    add column read_at timestamptz,
    add column heard_at timestamptz,
    add column webhook_at timestamptz,
    add column error text,
    add column error_at timestamptz`.execute(db);

  await sql`create index notification_deliveries_telegram_sent on notification_deliveries (sent_at)
    where channel = 'telegram' and state = 'sent'`.execute(db);
  await sql`create index telegram_chats_linked on telegram_chats (bot_id, linked_at desc, user_id desc)`.execute(db);
}
