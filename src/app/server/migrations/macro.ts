import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

const FROZEN = ['inflation_vintages', 'inflation_expectations', 'inflation_forecasts', 'inflation_commentaries'];

async function inflation(db: Kysely<unknown>): Promise<void> {
  // Every value ever published for a month: a revision is a separate row.
  await sql`create table inflation_vintages (
    id bigint generated always as identity primary key,
    series text not null,
    period text not null check (period ~ '^[0-9]{4}-[0-9]{2}$'),
    -- null: published as missing
    value double precision check (value > 0),
    published_at timestamptz not null,
    -- known to be what the agency printed first
    first_print boolean not null,
    source text not null,
    fetched_at timestamptz not null,
    method text not null,
    unique (series, period, published_at, source)
  )`.execute(db);

  await sql`create table inflation_expectations (
    type text not null check (type in ('cpi', 'pce', 'ppi')),
    measure text not null check (measure in ('headline', 'core', 'yoy')),
    period text not null check (period ~ '^[0-9]{4}-[0-9]{2}$'),
    kind text not null check (kind in ('consensus', 'nowcast')),
    value double precision not null,
    as_of timestamptz not null,
    source text not null,
    fetched_at timestamptz not null,
    method text not null,
    primary key (type, measure, period, kind, source, as_of)
  )`.execute(db);

  await sql`create table inflation_forecasts (
    id bigint generated always as identity primary key,
    type text not null check (type in ('cpi', 'pce')),
    period text not null check (period ~ '^[0-9]{4}-[0-9]{2}$'),
    forecaster text not null,
    name text not null,
    model text,
    prediction double precision not null,
    core double precision,
    confidence double precision check (confidence between 0 and 100),
    reasoning text,
    issued_at timestamptz not null,
    release_at timestamptz not null,
    input_hash text not null,
    method text not null,
    unique (type, period, forecaster),
    constraint inflation_forecasts_before_release check (issued_at < release_at)
  )`.execute(db);

  await sql`create table inflation_commentaries (
    -- the periods it speaks of
    subject text primary key,
    text text not null,
    provider text not null,
    model text not null,
    at timestamptz not null
  )`.execute(db);

  await sql`create function refuse_inflation_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  for (const table of FROZEN) {
    await sql`create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_inflation_change()`.execute(db);
    await sql`create trigger not_emptied before truncate on ${sql.table(table)}
      for each statement execute function refuse_inflation_change()`.execute(db);
  }
}

async function events(db: Kysely<unknown>): Promise<void> {
  // One row per event, with the time chosen among its sources. A deleted event remains as its own tombstone.
  await sql`create table events (
    id integer generated always as identity primary key,
    match text not null,
    kind text,
    category text not null,
    impact text not null check (impact in ('high', 'medium', 'low')),
    why text not null,
    title text,
    description text,
    at timestamptz not null,
    all_day boolean not null,
    estimated boolean not null,
    interval_from date,
    interval_to date,
    source text,
    source_url text,
    figures jsonb,
    checked_at timestamptz not null,
    first_seen_at timestamptz not null,
    updated_at timestamptz not null,
    ignored_at timestamptz,
    deleted_at timestamptz,
    check ((interval_from is null) = (interval_to is null))
  )`.execute(db);
  await sql`create index events_time on events (at)`.execute(db);
  await sql`create index events_match on events (match, at)`.execute(db);

  await sql`create table event_statements (
    event_id integer not null references events (id),
    source text not null,
    -- the source's own name for the event, which stays when its time moves
    ref text not null,
    rank smallint not null,
    kind text,
    publisher text,
    title text,
    description text,
    category text not null,
    impact text not null,
    why text not null,
    at timestamptz not null,
    all_day boolean not null,
    estimated boolean not null,
    interval_from date,
    interval_to date,
    url text,
    figures jsonb,
    checked_at timestamptz not null,
    primary key (event_id, source)
  )`.execute(db);
  await sql`create index event_statements_ref on event_statements (source, ref)`.execute(db);

  // When an event came within this many days, once per window.
  await sql`create table event_windows (
    event_id integer not null references events (id),
    days smallint not null check (days in (1, 2, 3, 5, 7)),
    entered_at timestamptz not null,
    primary key (event_id, days)
  )`.execute(db);
  await sql`create index event_windows_time on event_windows (entered_at)`.execute(db);
}

export const macroMigrations: Migrations = {
  '0008-inflation': { up: inflation },
  '0009-events': { up: events },
};
