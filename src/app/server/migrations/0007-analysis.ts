import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table analyses (
    id text primary key,
    issued_at timestamptz not null,
    finished_at timestamptz not null,
    input jsonb not null,
    input_hash text not null
  )`.execute(db);
  await sql`create index analyses_issued on analyses (issued_at desc)`.execute(db);

  await sql`create table analysis_answers (
    analysis_id text not null references analyses (id),
    analyst text not null,
    name text not null,
    letter text not null,
    model text,
    model_version text,
    opinion jsonb,
    imputed boolean not null default false,
    structured text,
    prompt_version text,
    prompt_hash text,
    input_tokens integer,
    output_tokens integer,
    cost_usd double precision,
    -- why there is no answer, in one sentence
    failure text,
    primary key (analysis_id, analyst),
    check ((opinion is null) <> (failure is null))
  )`.execute(db);
}
