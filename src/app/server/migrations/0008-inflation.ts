import { type Kysely, sql } from 'kysely';

const FROZEN = ['inflation_vintages', 'inflation_expectations', 'inflation_forecasts', 'inflation_commentaries'];

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every value that was ever published of a month: a revision is a row of its own.
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
