import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every minute from measured_from to before measured_to was looked at; those that were not well are in status_lapses.
  await sql`create table status_components (
    component text primary key,
    began_at timestamptz not null,
    measured_from timestamptz not null,
    measured_to timestamptz not null check (measured_to >= measured_from),
    -- since when it has not been well without a break
    lapse_from timestamptz
  )`.execute(db);

  await sql`create table status_lapses (
    component text not null,
    minute timestamptz not null,
    state text not null check (state in ('degraded', 'down')),
    primary key (component, minute)
  )`.execute(db);

  await sql`create table status_days (
    component text not null,
    day date not null,
    measured integer not null check (measured >= degraded + down),
    degraded integer not null check (degraded >= 0),
    down integer not null check (down >= 0),
    primary key (component, day)
  )`.execute(db);

  await sql`create table incidents (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('measured', 'written')),
    title text not null,
    impact text not null check (impact in ('none', 'minor', 'major', 'maintenance')),
    components text[] not null,
    starts_at timestamptz not null,
    ends_at timestamptz,
    created_at timestamptz not null,
    created_by bigint references users (id) on delete set null,
    retracted_at timestamptz,
    retracted_by bigint references users (id) on delete set null
  )`.execute(db);
  await sql`create index incidents_starts on incidents (starts_at desc)`.execute(db);
  // What is measured is one incident at a time.
  await sql`create unique index incidents_open on incidents (kind) where kind = 'measured' and ends_at is null`.execute(
    db,
  );

  await sql`create table incident_updates (
    id bigint generated always as identity primary key,
    incident_id bigint not null references incidents (id) on delete cascade,
    stage text not null check (stage in ('investigating', 'identified', 'monitoring', 'resolved')),
    message text not null,
    at timestamptz not null,
    author_id bigint references users (id) on delete set null
  )`.execute(db);
  await sql`create index incident_updates_of on incident_updates (incident_id, id)`.execute(db);
}
