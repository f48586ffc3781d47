import { type Kysely, sql } from 'kysely';

/**
 * Daily price ranges of every coin, append-only except for the price at the end, which is set once; and their replays.
 * A range made more than an hour late does not count in the record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
