import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table metric_observations (
    metric text not null,
    source text not null,
    observed_at timestamptz not null,
    value double precision not null,
    detail jsonb,
    fetched_at timestamptz not null,
    method text not null,
    primary key (metric, source, observed_at)
  )`.execute(db);
  await sql`create index metric_observations_time on metric_observations (observed_at)`.execute(db);

  await sql`create table metric_backfills (
    source text primary key,
    state text not null check (state in ('complete', 'unavailable')),
    note text,
    through timestamptz not null
  )`.execute(db);

  // One row per hour and latency class; class -1 counts failures, others are 4 × log2(ms).
  await sql`create table source_calls (
    source text not null,
    hour timestamptz not null,
    latency_class smallint not null,
    calls integer not null,
    primary key (source, hour, latency_class)
  )`.execute(db);
}
