import { type Kysely, sql } from 'kysely';

/** The newest replay of the built-in analyst, with the candles that reproduce it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table forecast_replay (
    only_one boolean primary key default true check (only_one),
    made_at timestamptz not null,
    model_version text not null,
    code_version text not null,
    candle_count int not null,
    first_day date not null,
    last_day date not null,
    sources text[] not null,
    entries int not null check (entries >= 0),
    head text not null,
    record jsonb not null,
    candles bytea not null
  )`.execute(db);
}
