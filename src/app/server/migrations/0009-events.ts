import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row an event, with the time that was chosen among those its sources give. A deleted one stays as its own tombstone.
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

  // The moment an event came within so many days, once for each way in.
  await sql`create table event_windows (
    event_id integer not null references events (id),
    days smallint not null check (days in (1, 2, 3, 5, 7)),
    entered_at timestamptz not null,
    primary key (event_id, days)
  )`.execute(db);
  await sql`create index event_windows_time on event_windows (entered_at)`.execute(db);
}
