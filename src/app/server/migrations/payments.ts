import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

/**
 * Money is in micro-dollars (1 USD or 1 USDC = 1,000,000). Users are stored without foreign keys: payments outlive the
 * account.
 */
async function payments(db: Kysely<unknown>): Promise<void> {
  // Append-only facts: what was bought, granted or revoked. The plan of an account is a fold over them.
  await sql`create table plan_grants (
    id bigint generated always as identity primary key,
    source text not null unique,
    user_id bigint not null,
    plan text not null check (plan in ('pro', 'premium')),
    months integer not null check (months >= 0),
    days integer not null default 0 check (days >= 0),
    good_at timestamptz not null,
    units bigint not null check (units >= 0),
    created_at timestamptz not null,
    created_by bigint,
    note text not null default '',
    check (months + days > 0)
  )`.execute(db);
  await sql`create index plan_grants_user on plan_grants (user_id)`.execute(db);
  await sql`create table plan_grant_revocations (
    source text primary key references plan_grants (source),
    revoked_at timestamptz not null,
    reason text not null
  )`.execute(db);

  // Double entry: the postings of one journal key sum to zero.
  await sql`create table journal (
    key text primary key,
    at timestamptz not null,
    about text not null default '',
    created_by bigint
  )`.execute(db);
  await sql`create table postings (
    key text not null references journal (key),
    account text not null,
    units bigint not null check (units <> 0),
    primary key (key, account)
  )`.execute(db);
  await sql`create index postings_account on postings (account)`.execute(db);
  await sql`create index postings_key on postings (key text_pattern_ops)`.execute(db);

  await sql`create function payments_stay() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  for (const table of ['plan_grants', 'plan_grant_revocations', 'journal', 'postings']) {
    await sql`create trigger ${sql.id(`${table}_stay`)} before update or delete on ${sql.table(table)}
      for each row execute function payments_stay()`.execute(db);
    await sql`create trigger ${sql.id(`${table}_stay_whole`)} before truncate on ${sql.table(table)}
      execute function payments_stay()`.execute(db);
  }

  await sql`create table trials (
    user_id bigint primary key,
    started_at timestamptz not null,
    ends_at timestamptz not null
  )`.execute(db);
  await sql`create table billing_notices (
    key text primary key,
    user_id bigint not null,
    kind text not null,
    sent_at timestamptz not null
  )`.execute(db);

  // Cards.
  await sql`create table card_customers (
    user_id bigint primary key,
    customer_id text not null unique
  )`.execute(db);
  await sql`create table card_subscriptions (
    id text primary key,
    user_id bigint not null,
    customer_id text not null,
    plan text not null check (plan in ('pro', 'premium')),
    months integer not null,
    status text not null,
    period_end timestamptz,
    cancel_at_period_end boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    checkout_id text,
    version integer not null default 1
  )`.execute(db);
  await sql`create index card_subscriptions_user on card_subscriptions (user_id)`.execute(db);
  // The terms of a checkout, valid while it is open; at most one is open.
  await sql`create table card_checkouts (
    id text primary key,
    user_id bigint not null,
    plan text not null check (plan in ('pro', 'premium')),
    months integer not null check (months > 0),
    regular bigint not null check (regular > 0),
    price bigint not null check (price > 0),
    credit_used bigint not null check (credit_used >= 0),
    proration bigint not null check (proration >= 0),
    starts_at timestamptz,
    quoted_at timestamptz not null,
    expires_at timestamptz not null,
    state text not null check (state in ('open', 'closed', 'paid', 'short')),
    session_id text,
    url text
  )`.execute(db);
  await sql`create unique index card_checkouts_open on card_checkouts (user_id) where state = 'open'`.execute(db);
  await sql`create table card_replays (
    one boolean primary key default true check (one),
    until timestamptz not null
  )`.execute(db);
  await sql`create table card_events (
    id text primary key,
    type text not null,
    created_at timestamptz not null,
    received_at timestamptz not null
  )`.execute(db);
  await sql`create table card_invoices (
    id text primary key,
    user_id bigint not null,
    subscription_id text,
    status text not null,
    units_paid bigint not null,
    units_refunded bigint not null default 0,
    paid_at timestamptz,
    created_at timestamptz not null,
    number text,
    hosted_url text
  )`.execute(db);
  await sql`create index card_invoices_user on card_invoices (user_id, created_at desc)`.execute(db);

  // USDC. The state of a payment is never stored: it is derived from its deposits.
  await sql`create table usdc_payments (
    id text primary key,
    number bigint generated always as identity unique,
    user_id bigint not null,
    network text not null check (network in ('base', 'solana')),
    address text not null,
    route text not null,
    plan text not null check (plan in ('pro', 'premium')),
    months integer not null check (months > 0),
    price bigint not null check (price > 0),
    credit_used bigint not null default 0 check (credit_used >= 0),
    proration bigint not null default 0 check (proration >= 0),
    due bigint not null check (due >= 0),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    applications integer not null default 0,
    applied_at timestamptz,
    unique (network, route)
  )`.execute(db);
  await sql`create index usdc_payments_user on usdc_payments (user_id, created_at desc)`.execute(db);
  await sql`create table usdc_deposits (
    network text not null,
    tx text not null,
    idx integer not null,
    block bigint not null,
    block_hash text not null,
    at timestamptz not null,
    token text not null,
    sender text not null,
    route text,
    units numeric(78, 0) not null check (units > 0),
    state text not null check (state in ('seen', 'confirmed', 'final', 'orphaned', 'foreign')),
    is_credited boolean not null default false,
    generation integer not null default 0,
    payment_id text references usdc_payments (id),
    owner_id bigint,
    seen_at timestamptz not null,
    primary key (network, tx, idx)
  )`.execute(db);
  await sql`create index usdc_deposits_payment on usdc_deposits (payment_id)`.execute(db);
  await sql`create index usdc_deposits_block on usdc_deposits (network, block)`.execute(db);
  await sql`create table usdc_cursors (
    network text primary key,
    scanned bigint not null,
    head bigint not null,
    mark text,
    first_block bigint not null,
    looks bigint not null default 0,
    polled_at timestamptz not null
  )`.execute(db);
  await sql`create table usdc_claims (
    id bigint generated always as identity primary key,
    user_id bigint not null,
    network text not null,
    tx text not null,
    wallet text not null,
    message text not null,
    proof text not null,
    state text not null check (state in ('proved', 'waiting', 'credited', 'refused')),
    note text not null default '',
    created_at timestamptz not null,
    decided_at timestamptz,
    decided_by bigint
  )`.execute(db);
  await sql`create index usdc_claims_user on usdc_claims (user_id, id desc)`.execute(db);
}

async function unreadableTransactions(db: Kysely<unknown>): Promise<void> {
  // Transactions of the receiving account that no node returned in a readable form. They are booked once a later
  // release reads them (read_at).
  await sql`create table usdc_unreadable (
    network text not null,
    tx text not null,
    block bigint not null,
    reason text not null,
    seen_at timestamptz not null,
    read_at timestamptz,
    primary key (network, tx)
  )`.execute(db);
}

export const paymentsMigrations: Migrations = {
  '0018-payments': { up: payments },
  '0040-unreadable-transactions': { up: unreadableTransactions },
};
