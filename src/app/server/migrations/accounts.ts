import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function accounts(db: Kysely<unknown>): Promise<void> {
  await sql`create table users (
    id bigint generated always as identity primary key,
    email text not null unique check (email = lower(email)),
    password_hash text not null,
    role text not null default 'user' check (role in ('user', 'admin')),
    email_verified_at timestamptz,
    pending_email text,
    notify_email boolean not null default true,
    notify_push boolean not null default false,
    notify_telegram boolean not null default false,
    created_at timestamptz not null
  )`.execute(db);

  await sql`create table sessions (
    id bigint generated always as identity primary key,
    token_hash bytea not null unique,
    user_id bigint not null references users on delete cascade,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    expires_at timestamptz not null,
    proved_at timestamptz not null,
    device text not null,
    network text not null
  )`.execute(db);
  await sql`create index sessions_user on sessions (user_id)`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);

  await sql`create table one_time_tokens (
    token_hash bytea primary key,
    user_id bigint references users on delete cascade,
    session_id bigint references sessions on delete cascade,
    purpose text not null,
    data text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`.execute(db);
  await sql`create index one_time_tokens_user on one_time_tokens (user_id, purpose)`.execute(db);
  await sql`create index one_time_tokens_expiry on one_time_tokens (expires_at)`.execute(db);

  await sql`create table attempts (
    key bytea primary key,
    hits integer not null,
    resets_at timestamptz not null
  )`.execute(db);

  await sql`create table known_devices (
    user_id bigint not null references users on delete cascade,
    device text not null,
    network text not null,
    seen_at timestamptz not null,
    primary key (user_id, device, network)
  )`.execute(db);

  // Append-only: the plan of an account is a fold over these facts.
  await sql`create table entitlements (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    source text not null,
    plan text not null check (plan in ('free', 'pro', 'premium')),
    starts_at timestamptz not null,
    ends_at timestamptz,
    created_at timestamptz not null,
    created_by bigint,
    note text not null default ''
  )`.execute(db);
  await sql`create index entitlements_user on entitlements (user_id)`.execute(db);
  await sql`create function facts_stay() returns trigger language plpgsql as $$
    begin raise exception 'entitlements are append-only'; end $$`.execute(db);
  await sql`create trigger entitlements_stay before update on entitlements
    for each row execute function facts_stay()`.execute(db);

  // No foreign keys, so that the log outlives the account.
  await sql`create table audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor_id bigint,
    subject_id bigint,
    action text not null,
    details jsonb not null default '{}',
    network text
  )`.execute(db);
  await sql`create index audit_log_subject on audit_log (subject_id, id desc)`.execute(db);

  await sql`create table two_factor (
    user_id bigint primary key references users on delete cascade,
    sealed_secret text not null,
    enabled_at timestamptz,
    last_step bigint not null default 0
  )`.execute(db);
  await sql`create table backup_codes (
    user_id bigint not null references users on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`.execute(db);
  await sql`create table passkeys (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`.execute(db);
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db);

  // A frame for one account only; null for everyone.
  await sql`alter table live_frames add column user_id bigint`.execute(db);
  await sql`create function publish_frame_to(topic text, body text, recipient bigint) returns bigint language plpgsql as $$
    declare frame_id bigint;
    begin
      perform pg_advisory_xact_lock(7246002);
      insert into live_frames (topic, body, user_id) values (topic, body, recipient) returning id into frame_id;
      perform pg_notify('live', frame_id::text);
      return frame_id;
    end $$`.execute(db);
}

async function trialAddresses(db: Kysely<unknown>): Promise<void> {
  // Keyed hashes of the addresses that had a trial; they outlive the account.
  await sql`create table trial_addresses (
    address_hash bytea primary key,
    started_at timestamptz not null
  )`.execute(db);
  await sql`create trigger trial_addresses_stay before update or delete on trial_addresses
    for each row execute function payments_stay()`.execute(db);
  await sql`create trigger trial_addresses_stay_whole before truncate on trial_addresses
    execute function payments_stay()`.execute(db);
}

async function apiKeys(db: Kysely<unknown>): Promise<void> {
  await sql`create table api_keys (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null,
    hash bytea not null unique,
    old_hash bytea unique,
    old_until timestamptz,
    hint text not null,
    scopes text[] not null,
    created_at timestamptz not null,
    last_used timestamptz,
    usage_count bigint not null default 0,
    ended_at timestamptz
  )`.execute(db);
  await sql`create index api_keys_user on api_keys (user_id, id desc)`.execute(db);

  // Leased units of a day are those that a process holds and has neither spent nor returned.
  await sql`create table api_days (
    user_id bigint not null references users (id) on delete cascade,
    day date not null,
    spent integer not null default 0,
    leased integer not null default 0,
    refused integer not null default 0,
    told smallint not null default 0,
    primary key (user_id, day)
  )`.execute(db);
}

async function disabledAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users
    add column disabled_at timestamptz,
    add column disabled_by bigint,
    add column disabled_reason text,
    add constraint users_disabled check ((disabled_at is null) = (disabled_reason is null))`.execute(db);

  await sql`create index audit_log_actor on audit_log (actor_id, id desc)`.execute(db);
  await sql`create index audit_log_action on audit_log (action text_pattern_ops, id desc)`.execute(db);
  await sql`create index audit_log_at on audit_log (at)`.execute(db);
}

async function secretKeys(db: Kysely<unknown>): Promise<void> {
  // next_key_fingerprint: set while values are being re-encrypted; from then on the next key seals. lasting_key: the
  // sealed key of hashes that must outlive a key rotation. Null: still the first key.
  await sql`alter table installation
    add column next_key_fingerprint text,
    add column lasting_key text`.execute(db);
}

async function secondFactorPauses(db: Kysely<unknown>): Promise<void> {
  // Wrong authenticator codes since the last correct one, and the time until which further codes are refused.
  await sql`alter table two_factor
    add column wrong_codes integer not null default 0,
    add column wait_until timestamptz`.execute(db);
}

async function weakPasswords(db: Kysely<unknown>): Promise<void> {
  // Null until a password is entered again: a hash does not show how easy it is to guess.
  await sql`alter table users add column password_weak boolean`.execute(db);
}

export const accountsMigrations: Migrations = {
  '0004-accounts': { up: accounts },
  '0021-trials': { up: trialAddresses },
  '0022-api-keys': { up: apiKeys },
  '0025-disabled-accounts': { up: disabledAccounts },
  '0032-secret-keys': { up: secretKeys },
  '0045-second-factor-pauses': { up: secondFactorPauses },
  '0046-weak-passwords': { up: weakPasswords },
};
