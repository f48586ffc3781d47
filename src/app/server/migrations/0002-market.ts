import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table coins (
    id text primary key,
    key integer generated always as identity unique,
    symbol text not null,
    name text not null,
    rank integer,
    circulating_supply double precision,
    max_supply double precision,
    listed boolean not null default true,
    updated_at timestamptz not null
  )`.execute(db);
  await sql`create index coins_symbol on coins (symbol)`.execute(db);

  await sql`create table coin_quotes (
    coin_id text not null references coins (id),
    source text not null,
    price double precision not null,
    change_24h double precision,
    change_7d double precision,
    low_24h double precision,
    high_24h double precision,
    volume_24h double precision,
    market_cap double precision,
    observed_at timestamptz not null,
    fetched_at timestamptz not null,
    method text not null,
    primary key (coin_id, source)
  )`.execute(db);

  await sql`create table price_observations (
    coin_key integer not null,
    observed_at timestamptz not null,
    source text not null,
    price double precision not null,
    change_24h double precision,
    volume_24h double precision,
    market_cap double precision,
    fetched_at timestamptz not null,
    method text not null,
    primary key (coin_key, observed_at, source)
  ) partition by range (observed_at)`.execute(db);

  for (const name of ['candles_1m', 'candles_1h']) {
    await sql`create table ${sql.table(name)} (
      coin_key integer not null,
      at timestamptz not null,
      open double precision not null,
      high double precision not null,
      low double precision not null,
      close double precision not null,
      volume double precision,
      minutes smallint not null,
      source text not null,
      fetched_at timestamptz not null,
      method text not null,
      primary key (coin_key, at)
    ) partition by range (at)`.execute(db);
  }
  await sql`create table candles_1d (
    coin_key integer not null,
    at timestamptz not null,
    open double precision not null,
    high double precision not null,
    low double precision not null,
    close double precision not null,
    volume double precision,
    minutes smallint not null,
    source text not null,
    fetched_at timestamptz not null,
    method text not null,
    primary key (coin_key, at)
  )`.execute(db);

  await sql`create table sparklines (
    coin_id text primary key references coins (id),
    points double precision[] not null,
    source text not null,
    observed_at timestamptz not null,
    fetched_at timestamptz not null,
    method text not null
  )`.execute(db);

  await sql`create table candle_backfills (
    coin_id text primary key references coins (id),
    state text not null check (state in ('complete', 'unavailable')),
    source text,
    note text,
    through timestamptz not null
  )`.execute(db);

  await sql`create table collections (
    id bigint generated always as identity primary key,
    kind text not null,
    finished_at timestamptz not null
  )`.execute(db);
  await sql`create index collections_kind on collections (kind, finished_at desc)`.execute(db);
}
