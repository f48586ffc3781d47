import { type Kysely, sql } from 'kysely';

/** Open league. Names are stored outside the ledger, so deleting an account does not change the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table league_forecasters (
    id int primary key generated always as identity,
    user_id bigint not null unique references users (id) on delete cascade,
    name text not null unique,
    joined_at timestamptz not null
  )`.execute(db);
  // Derived from a column that the ledger verifies.
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
