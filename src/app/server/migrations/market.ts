import { type Kysely, sql } from 'kysely';

import type { Migrations } from '#kernel/migrate.ts';

async function market(db: Kysely<unknown>): Promise<void> {
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

async function metrics(db: Kysely<unknown>): Promise<void> {
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

async function supplyMethod(db: Kysely<unknown>): Promise<void> {
  // Supplies stored before may be total supplies of CoinPaprika: the next price list of either kind replaces them.
  await sql`alter table coins add column supply_method text check (supply_method in ('measured', 'computed'))`.execute(
    db,
  );
}

/** When the daily candles older than the usual ones were requested. */
async function olderCandles(db: Kysely<unknown>): Promise<void> {
  await sql`alter table candle_backfills add column older_read_at timestamptz`.execute(db);
}

/**
 * Daily price ranges of every coin and their replays. Append-only, except for the closing price, which is set once. A
 * range made more than an hour late does not count in the record.
 */
async function coinRanges(db: Kysely<unknown>): Promise<void> {
  await sql`create table coin_ranges (
    coin_key int not null references coins (key),
    horizon text not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null check (ends_at > starts_at),
    made_at timestamptz not null check (made_at >= starts_at),
    model_version text not null,
    price float8 not null check (price > 0),
    low_80 float8 not null,
    high_80 float8 not null,
    low_95 float8 not null check (0 < low_95 and low_95 <= low_80),
    high_95 float8 not null check (low_80 < high_80 and high_80 <= high_95),
    end_price float8,
    counted boolean not null generated always as (made_at - starts_at <= interval '1 hour') stored,
    primary key (coin_key, horizon, starts_at)
  )`.execute(db);
  await sql`create index coin_ranges_starts on coin_ranges (starts_at)`.execute(db);
  await sql`create index coin_ranges_open on coin_ranges (ends_at) where end_price is null`.execute(db);
  await sql`create function keep_coin_ranges() returns trigger language plpgsql as $$
    -- A generated column is not computed yet here.
    declare final constant text[] := array['end_price', 'counted'];
    begin
      if tg_op = 'UPDATE' and old.end_price is null and to_jsonb(new) - final = to_jsonb(old) - final then
        return new;
      end if;
      raise exception 'coin_ranges is append-only';
    end $$`.execute(db);
  await sql`create trigger append_only before update or delete on coin_ranges
    for each row execute function keep_coin_ranges()`.execute(db);
  await sql`create table coin_range_replays (
    coin_key int not null references coins (key),
    horizon text not null,
    made_at timestamptz not null,
    model_version text not null,
    n int not null check (n > 0),
    held_80 int not null,
    held_95 int not null,
    primary key (coin_key, horizon)
  )`.execute(db);
}

export const marketMigrations: Migrations = {
  '0002-market': { up: market },
  '0003-metrics': { up: metrics },
  '0041-supply-method': { up: supplyMethod },
  '0059-older-candles': { up: olderCandles },
  '0060-coin-ranges': { up: coinRanges },
};
