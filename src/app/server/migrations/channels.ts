import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function mail(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column key_fingerprint text`.execute(db);

  // The body is sealed because it holds links. Null after the email is sent.
  await sql`create table mail_outbox (
    id bigint generated always as identity primary key,
    kind text not null,
    address text not null,
    subject text not null,
    state text not null check (state in ('kept', 'waiting', 'sent', 'failed')),
    body text,
    note text,
    tries smallint not null default 0,
    created_at timestamptz not null,
    next_at timestamptz,
    sent_at timestamptz,
    view_hash bytea unique
  )`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (next_at) where state = 'waiting'`.execute(db);
  await sql`create index mail_outbox_created on mail_outbox (created_at)`.execute(db);
}

async function push(db: Kysely<unknown>): Promise<void> {
  // One key pair for all processes: browsers subscribe to its public half.
  await sql`create table push_keys (
    one boolean primary key default true check (one),
    public_key text not null,
    sealed_private_key text not null,
    created_at timestamptz not null
  )`.execute(db);

  // A browser is removed with its session: notifications of an account must not reach one that has signed out.
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

async function email(db: Kysely<unknown>): Promise<void> {
  // Account email is sent before notifications. How an address refused it.
  await sql`alter table mail_outbox
    add column bulk boolean not null default false,
    add column expires_at timestamptz,
    add column bounce text check (bounce in ('hard', 'soft'))`.execute(db);
  await sql`drop index mail_outbox_waiting`.execute(db);
  await sql`create index mail_outbox_waiting on mail_outbox (bulk, next_at) where state = 'waiting'`.execute(db);
  await sql`create index mail_outbox_bounced on mail_outbox (address) where bounce = 'soft'`.execute(db);

  // A notification has at most one email; a digest carries many.
  await sql`create table mail_deliveries (
    delivery_id bigint primary key,
    mail_id bigint not null references mail_outbox (id) on delete cascade
  )`.execute(db);
  await sql`create index mail_deliveries_mail on mail_deliveries (mail_id)`.execute(db);

  // Addresses of accounts that reject email, as a keyed hash, with the owner at that time, so that no notification uses
  // a broken channel.
  await sql`create table mail_suppressions (
    address_hash bytea primary key,
    user_id bigint not null references users (id) on delete cascade,
    reason text not null check (reason in ('refused', 'unreachable')),
    note text not null,
    until timestamptz,
    at timestamptz not null,
    check ((reason = 'unreachable') = (until is not null))
  )`.execute(db);
  await sql`create index mail_suppressions_user on mail_suppressions (user_id)`.execute(db);
}

async function telegram(db: Kysely<unknown>): Promise<void> {
  // State of each bot this installation has used; its id is the number before the colon of its token.
  await sql`create table telegram_bots (
    bot_id bigint primary key,
    username text not null,
    -- where the next reading begins, and since when that is known: Telegram starts a new count after a quiet week
    next_update_id bigint,
    updated_at timestamptz not null
  )`.execute(db);

  // One chat per person and one person per chat.
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

  // Looked up by keyed hash; the sealed copy is only for its owner. Rows are deleted after use or expiry.
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

async function webhooks(db: Kysely<unknown>): Promise<void> {
  await sql`create table webhooks (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null,
    url text not null,
    host text not null,
    format text not null check (format in ('generic', 'discord', 'slack')),
    secret text not null,
    old_secret text,
    old_secret_until timestamptz,
    enabled boolean not null,
    created_at timestamptz not null,
    last_at timestamptz,
    last_state text,
    last_note text,
    failures integer not null default 0,
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text
  )`.execute(db);
  await sql`create index webhooks_user on webhooks (user_id)`.execute(db);

  await sql`create table webhook_attempts (
    id bigint generated always as identity primary key,
    webhook_id bigint not null references webhooks (id) on delete cascade,
    delivery_id bigint,
    kind text not null,
    at timestamptz not null,
    state text not null check (state in ('sent', 'later', 'failed', 'dropped')),
    status integer,
    ms integer not null,
    note text not null
  )`.execute(db);
  await sql`create index webhook_attempts_hook on webhook_attempts (webhook_id, id desc)`.execute(db);
  await sql`create index webhook_attempts_delivery on webhook_attempts (delivery_id) where delivery_id is not null`.execute(
    db,
  );
  await sql`create index webhook_attempts_at on webhook_attempts (at)`.execute(db);
}

async function deliveries(db: Kysely<unknown>): Promise<void> {
  // When an administrator restarted it: earlier state of the channel does not count.
  await sql`alter table notification_deliveries add column restarted_at timestamptz`.execute(db);

  // Latency of alerts to open streams: how many were handed over in how many milliseconds.
  await sql`create table in_app_handings (
    id bigint generated always as identity primary key,
    handed_at timestamptz not null,
    ms integer not null check (ms >= 0),
    streams integer not null check (streams > 0)
  )`.execute(db);
  await sql`create index in_app_handings_at on in_app_handings (handed_at)`.execute(db);
}

async function telegramBot(db: Kysely<unknown>): Promise<void> {
  // Turned off by /stop; alerts are still sent.
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

  // Counts are written when nothing is pending; until then they are computed.
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

  // Commands sent to the bot, without any of their text.
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

export const channelsMigrations: Migrations = {
  '0005-mail': { up: mail },
  '0014-push': { up: push },
  '0015-email': { up: email },
  '0016-telegram': { up: telegram },
  '0017-webhooks': { up: webhooks },
  '0019-deliveries': { up: deliveries },
  '0026-telegram-bot': { up: telegramBot },
};
