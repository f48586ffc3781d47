import { type Kysely, sql } from 'kysely';

/** Forecasts of people, in the same ledger: their names stand apart, so that deleting an account leaves the ledger as it was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table league_forecasters (
    id int primary key generated always as identity,
    user_id bigint not null unique references users (id) on delete cascade,
    name text not null unique,
    joined_at timestamptz not null
  )`.execute(db);
  // Who made a call stands in the ledger: the number is read from there.
  await sql`alter table predictions add column forecaster_id int generated always as
    (case when analyst like 'league:%' then substr(analyst, 8)::int end) stored`.execute(db);
  await sql`create unique index predictions_once_a_day on predictions
    (forecaster_id, asset, horizon, ((issued_at at time zone 'UTC')::date)) where forecaster_id is not null`.execute(
    db,
  );
  await sql`create index predictions_graded_league on predictions (forecaster_id, outcome_seq)
    where forecaster_id is not null`.execute(db);
  await sql`create table league_records (
    forecaster_id int not null,
    horizon text not null,
    -- The ledger's newest entry when it was scored.
    through_seq bigint not null,
    scored_at timestamptz not null,
    n_eff int not null,
    -- Before Holm's correction; null while nothing is tested.
    p_ahead double precision,
    p_behind double precision,
    cell jsonb not null,
    -- Forecasts that others made too on the same day, and what they add to the mean of all.
    shared int,
    gain double precision,
    primary key (forecaster_id, horizon)
  )`.execute(db);
}
