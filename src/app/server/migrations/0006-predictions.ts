import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Append-only: every entry carries the hash of itself and of the one before.
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

  // The calls and their outcomes laid flat, for reading; the ledger is what counts.
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
  // A page of calls is the newest of each horizon and state: no filter has to read past what it leaves out.
  await sql`create index predictions_by_state on predictions (horizon, state, seq)`.execute(db);
  await sql`create index predictions_by_analyst on predictions (analyst, horizon, state, seq)`.execute(db);

  await sql`create table analyst_absences (
    seq bigint primary key references prediction_ledger (seq),
    analysis_id text not null,
    analyst text not null,
    issued_at timestamptz not null,
    reason text not null
  )`.execute(db);

  // What the calls amount to, as the last scoring left it.
  await sql`create table prediction_record (
    only_one boolean primary key default true check (only_one),
    scored_at timestamptz not null,
    body jsonb not null
  )`.execute(db);
}
