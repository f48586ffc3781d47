import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function predictions(db: Kysely<unknown>): Promise<void> {
  // Append-only: every entry carries its own hash and the previous one.
  await sql`create table prediction_ledger (
    seq bigint primary key check (seq > 0),
    recorded_at timestamptz not null,
    kind text not null check (kind in ('call', 'outcome', 'void', 'missing')),
    body text not null,
    hash text not null
  )`.execute(db);
  await sql`create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin raise exception 'the prediction ledger is append-only'; end $$`.execute(db);
  await sql`create trigger prediction_ledger_is_append_only before update or delete on prediction_ledger
    for each row execute function refuse_ledger_change()`.execute(db);
  await sql`create trigger prediction_ledger_is_not_emptied before truncate on prediction_ledger
    for each statement execute function refuse_ledger_change()`.execute(db);

  await sql`create table ledger_roots (
    day date primary key,
    through_seq bigint not null,
    hash text not null,
    published_at timestamptz not null
  )`.execute(db);

  // Calls and their outcomes, denormalized for reading; the ledger is authoritative.
  await sql`create table predictions (
    seq bigint primary key references prediction_ledger (seq),
    analysis_id text not null,
    analyst text not null,
    model text not null,
    asset text not null,
    horizon text not null,
    issued_at timestamptz not null,
    resolves_at timestamptz not null,
    up double precision not null,
    flat double precision not null,
    down double precision not null,
    imputed boolean not null,
    price double precision not null,
    band double precision,
    climatology double precision[] not null,
    persistence double precision[] not null,
    outcome text check (outcome in ('up', 'flat', 'down', 'void')),
    state text not null generated always as
      (case when outcome is null then 'open' when outcome = 'void' then 'void' else 'graded' end) stored,
    realised double precision,
    outcome_seq bigint references prediction_ledger (seq),
    outcome_at timestamptz
  )`.execute(db);
  await sql`create index predictions_due on predictions (resolves_at) where outcome is null`.execute(db);
  await sql`create index predictions_outcome on predictions (outcome_seq)`.execute(db);
  // A page of calls is the newest per horizon and state: no filter has to scan rows it leaves out.
  await sql`create index predictions_by_state on predictions (horizon, state, seq)`.execute(db);
  await sql`create index predictions_by_analyst on predictions (analyst, horizon, state, seq)`.execute(db);

  await sql`create table analyst_absences (
    seq bigint primary key references prediction_ledger (seq),
    analysis_id text not null,
    analyst text not null,
    issued_at timestamptz not null,
    reason text not null
  )`.execute(db);

  // The record of the calls as of the last scoring.
  await sql`create table prediction_record (
    only_one boolean primary key default true check (only_one),
    scored_at timestamptz not null,
    body jsonb not null
  )`.execute(db);
}

async function analysis(db: Kysely<unknown>): Promise<void> {
  await sql`create table analyses (
    id text primary key,
    issued_at timestamptz not null,
    finished_at timestamptz not null,
    input jsonb not null,
    input_hash text not null
  )`.execute(db);
  await sql`create index analyses_issued on analyses (issued_at desc)`.execute(db);

  await sql`create table analysis_answers (
    analysis_id text not null references analyses (id),
    analyst text not null,
    name text not null,
    letter text not null,
    model text,
    model_version text,
    opinion jsonb,
    imputed boolean not null default false,
    structured text,
    prompt_version text,
    prompt_hash text,
    input_tokens integer,
    output_tokens integer,
    cost_usd double precision,
    -- why there is no answer, in one sentence
    failure text,
    primary key (analysis_id, analyst),
    check ((opinion is null) <> (failure is null))
  )`.execute(db);
}

async function recordHistory(db: Kysely<unknown>): Promise<void> {
  // The record as the dashboard showed it after each scoring, for earlier moments.
  await sql`create table prediction_records (
    scored_at timestamptz primary key,
    body jsonb not null
  )`.execute(db);
}

/** Price ranges frozen with a call, and the quantiles that they are compared with. */
async function priceRanges(db: Kysely<unknown>): Promise<void> {
  await sql`alter table predictions add column ranges jsonb, add column trailing_ranges jsonb`.execute(db);
  await sql`create index predictions_ranges on predictions (analysis_id) where ranges is not null`.execute(db);
}

/** The newest replay of the built-in analyst, with the candles that reproduce it. */
async function forecastReplay(db: Kysely<unknown>): Promise<void> {
  await sql`create table forecast_replay (
    only_one boolean primary key default true check (only_one),
    made_at timestamptz not null,
    model_version text not null,
    code_version text not null,
    candle_count int not null,
    first_day date not null,
    last_day date not null,
    sources text[] not null,
    entries int not null check (entries >= 0),
    head text not null,
    record jsonb not null,
    candles bytea not null
  )`.execute(db);
}

/** The weight of an analyst in the consensus at each horizon; null for equal weights. */
async function poolWeights(db: Kysely<unknown>): Promise<void> {
  await sql`alter table analysis_answers add column weights jsonb`.execute(db);
}

/** Open league. Names are stored outside the ledger, so deleting an account does not change the ledger. */
async function league(db: Kysely<unknown>): Promise<void> {
  await sql`create table league_forecasters (
    id int primary key generated always as identity,
    user_id bigint not null unique references users (id) on delete cascade,
    name text not null unique,
    joined_at timestamptz not null
  )`.execute(db);
  // Generated from a column that the ledger verifies.
  await sql`alter table predictions add column forecaster_id int generated always as
    (case when analyst like 'league:%' then substr(analyst, 8)::int end) stored`.execute(db);
  await sql`create unique index predictions_once_a_day on predictions
    (forecaster_id, asset, horizon, ((issued_at at time zone 'UTC')::date)) where forecaster_id is not null`.execute(
    db,
  );
  // Pages of the product's calls must not scan calls of the league.
  await sql`drop index predictions_by_state`.execute(db);
  await sql`create index predictions_by_state on predictions (horizon, state, seq) where forecaster_id is null`.execute(
    db,
  );
  await sql`create index predictions_graded_league on predictions (forecaster_id, outcome_seq)
    where forecaster_id is not null`.execute(db);
  await sql`create table league_records (
    forecaster_id int not null,
    horizon text not null,
    -- Newest ledger entry at scoring time.
    through_seq bigint not null,
    scored_at timestamptz not null,
    n_eff int not null,
    -- Before Holm's correction; null while not tested.
    p_ahead double precision,
    p_behind double precision,
    cell jsonb not null,
    -- Forecasts that others also made that day, and the contribution to the pool over them.
    shared int,
    gain double precision,
    primary key (forecaster_id, horizon)
  )`.execute(db);
}

export const predictionsMigrations: Migrations = {
  '0006-predictions': { up: predictions },
  '0007-analysis': { up: analysis },
  '0010-record-history': { up: recordHistory },
  '0056-price-ranges': { up: priceRanges },
  '0057-forecast-replay': { up: forecastReplay },
  '0058-pool-weights': { up: poolWeights },
  '0061-league': { up: league },
};
