import { type RawBuilder, sql } from 'kysely';

import type { PriceRange } from '#features/analysis/contract/analysis.ts';
import { HORIZONS, type Probabilities } from '#features/analysis/contract/predictions.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';
import type { Db } from '#kernel/db.ts';
import './schema.ts';
import type { AnalystInput, Answer, Opinion, Weights } from './types.ts';

export type NewAnalysis = { id: string; issuedAt: Date; finishedAt: Date; input: AnalystInput; inputHash: string };
export type NewAnswer = { analyst: string; name: string; letter: string } & (
  | { answer: Answer; failure: null; weights?: Weights }
  | { answer: null; failure: string; weights?: never }
);

const STORE_LOCK = 7_246_062;

/** Locked until the end of the transaction, so that only one process stores an analysis. */
export async function lockAnalyses(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${STORE_LOCK})`.execute(tx);
}

/** The id of the last issued analysis; null without one. */
export async function newestAnalysis(db: Db): Promise<string | null> {
  const row = await db.selectFrom('analyses').select('id').orderBy('issued_at', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/** An analysis with every answer or failure, in the caller's transaction. */
export async function insertAnalysis(tx: Db, analysis: NewAnalysis, answers: readonly NewAnswer[]): Promise<void> {
  const { id, issuedAt, finishedAt, input, inputHash } = analysis;
  await tx
    .insertInto('analyses')
    .values({
      id,
      issued_at: issuedAt.toISOString(),
      finished_at: finishedAt.toISOString(),
      input: JSON.stringify(input),
      input_hash: inputHash,
    })
    .execute();
  await tx
    .insertInto('analysis_answers')
    .values(
      answers.map(({ analyst, name, letter, answer, failure, weights }) => ({
        analysis_id: id,
        analyst,
        name,
        letter,
        model: answer?.model ?? null,
        model_version: answer?.modelVersion ?? null,
        opinion: answer ? JSON.stringify(answer.opinion) : null,
        imputed: answer?.imputed ?? false,
        structured: answer?.structured ?? null,
        prompt_version: answer?.promptVersion ?? null,
        prompt_hash: answer?.promptHash ?? null,
        input_tokens: answer?.usage.inputTokens ?? null,
        output_tokens: answer?.usage.outputTokens ?? null,
        cost_usd: answer?.usage.costUsd ?? null,
        failure,
        weights: weights ? JSON.stringify(weights) : null,
      })),
    )
    .execute();
}

export type StoredAnswer = {
  analyst: string;
  name: string;
  letter: string;
  model: string | null;
  model_version: string | null;
  imputed: boolean;
  opinion: Opinion | null;
  failure: string | null;
  weights: Weights | null;
};
export type StoredAnalysis = {
  id: string;
  issued_at: string;
  finished_at: string;
  answers: StoredAnswer[];
  ranges: PriceRange[];
  /** Time of a later run in which no model responded. */
  unanswered_at: string | null;
};

async function readAnswers(db: Db, ids: readonly string[]): Promise<Map<string, StoredAnswer[]>> {
  const rows = await db
    .selectFrom('analysis_answers')
    .select([
      'analysis_id',
      'analyst',
      'name',
      'letter',
      'model',
      'model_version',
      'imputed',
      'opinion',
      'failure',
      'weights',
    ])
    .where('analysis_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('analyst')
    .execute();
  return Map.groupBy(rows, ({ analysis_id: id }) => id);
}

/** A call of `predictions` as the price range that was frozen with it. */
function priceRange(): RawBuilder<PriceRange> {
  const ends = (level: 80 | 95) => {
    const end = (name: 'low' | 'high') => sql`price * exp((ranges #>> ${sql.lit(`{${level},${name}}`)})::float8)`;
    return sql`json_build_object('low', ${end('low')}, 'high', ${end('high')})`;
  };
  const utc = sql`to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return sql`json_build_object('provider', analyst, 'crypto_symbol', asset, 'horizon', horizon,
      'issued_at', ${utc}, 'price', price, 'range_80', ${ends(80)}, 'range_95', ${ends(95)})`;
}

async function readRanges(db: Db, ids: readonly string[]): Promise<Map<string, PriceRange[]>> {
  const { rows } = await sql<{ analysis_id: string; range: PriceRange }>`
    select analysis_id, ${priceRange()} as range from predictions
    where analysis_id = any(${[...ids]}::text[]) and ranges is not null order by seq`.execute(db);
  const grouped = Map.groupBy(rows, ({ analysis_id: id }) => id);
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ range }) => range)]));
}

/** The first range of each asset that an analyst issued on each day (UTC) between two moments, oldest first. */
export async function readFirstDailyRanges(
  db: Db,
  of: Pick<PriceRange, 'provider' | 'horizon'>,
  from: Date,
  to: Date,
): Promise<PriceRange[]> {
  const day = sql`date_trunc('day', issued_at at time zone 'UTC')`;
  // By analysis: its index has the time, so the whole record is not scanned.
  const { rows } = await sql<{ range: PriceRange }>`
    select distinct on (${day}, asset) ${priceRange()} as range from predictions
    where analysis_id in (select id from analyses where issued_at between ${from.toISOString()} and ${to.toISOString()})
      and analyst = ${of.provider} and horizon = ${of.horizon} and ranges is not null
    order by ${day}, asset, seq`.execute(db);
  return rows.map(({ range }) => range);
}

/** Newest first, before the analysis `before` if given; includes those without responses. */
export async function analysesBefore(db: Db, before: string | null, most: number): Promise<StoredAnalysis[]> {
  const { rows } = await sql<Pick<StoredAnalysis, 'id' | 'issued_at' | 'finished_at'>>`
    select id, issued_at, finished_at from analyses
    where ${before}::text is null or (issued_at, id) < (select b.issued_at, b.id from analyses b where b.id = ${before}::text)
    order by issued_at desc, id desc limit ${most}::int`.execute(db);
  const ids = rows.map(({ id }) => id);
  const [answers, ranges] = await Promise.all([readAnswers(db, ids), readRanges(db, ids)]);
  return rows.map((row) => ({
    ...row,
    answers: answers.get(row.id) ?? [],
    ranges: ranges.get(row.id) ?? [],
    unanswered_at: null,
  }));
}

/**
 * The analysis current at a moment: the newest that a model answered, or for which none was asked. If there never was
 * one, the newest with any answer.
 */
export async function findAnalysis(db: Db, at: Date, builtIn: string): Promise<StoredAnalysis | undefined> {
  const newest = async (stands: RawBuilder<unknown>) => {
    const { rows } = await sql<Pick<StoredAnalysis, 'id' | 'issued_at' | 'finished_at'>>`
      select a.id, a.issued_at, a.finished_at from analyses a
      where a.issued_at <= ${at.toISOString()}
        and (select ${stands} from analysis_answers w where w.analysis_id = a.id)
      order by a.issued_at desc limit 1`.execute(db);
    return rows[0];
  };
  const [last, standing] = await Promise.all([
    newest(sql`bool_or(w.opinion is not null)`),
    newest(sql`bool_or(w.opinion is not null and w.analyst <> ${builtIn}) or bool_and(w.analyst = ${builtIn})`),
  ]);
  const analysis = standing ?? last;
  if (!last || !analysis) return undefined;
  const [answers, ranges] = await Promise.all([readAnswers(db, [analysis.id]), readRanges(db, [last.id])]);
  return {
    ...analysis,
    answers: answers.get(analysis.id) ?? [],
    ranges: ranges.get(last.id) ?? [],
    unanswered_at: last.id === analysis.id ? null : last.issued_at,
  };
}

export async function lastIssuedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('analyses')
    .select(({ fn }) => fn.max('issued_at').as('at'))
    .executeTakeFirst();
  return row?.at ? new Date(row.at) : null;
}

/** One analysis, its pools in the order of the horizons. `stands`: a model answered, or none was asked. */
export type Pooled = { issued_at: string; stands: boolean; pools: Probabilities[] };

/** The consensus of each analysis with any answer, oldest first. */
export async function poolsBetween(db: Db, builtIn: string, from: Date, to: Date): Promise<Pooled[]> {
  const mean = (horizon: string, outcome: string) => {
    const weight = sql`case when w.opinion is not null then coalesce((w.weights ->> ${horizon}::text)::float8, 1) end`;
    return sql`sum(${weight} * (w.opinion #>> ${[`market`, horizon, 'probabilities', outcome]}::text[])::float8) / sum(${weight})`;
  };
  const pools = HORIZONS.map(
    (horizon) =>
      sql`json_build_object('up', ${mean(horizon, 'up')}, 'flat', ${mean(horizon, 'flat')}, 'down', ${mean(horizon, 'down')})`,
  );
  const { rows } = await sql<Pooled>`
    select a.issued_at, json_build_array(${sql.join(pools)}) as pools,
      (bool_or(w.opinion is not null and w.analyst <> ${builtIn}) or bool_and(w.analyst = ${builtIn})) as stands
    from analyses a join analysis_answers w on w.analysis_id = a.id
    where a.issued_at >= ${from.toISOString()} and a.issued_at <= ${to.toISOString()}
    group by a.id, a.issued_at having bool_or(w.opinion is not null) order by a.issued_at`.execute(db);
  return rows;
}

export type ReplayBasis = { code_version: string; candle_count: number };
export type NewReplay = Replay & ReplayBasis & { candles: Buffer };

/** Replaces the previous replay, which its candles can reproduce. */
export async function saveReplay(db: Db, replay: NewReplay): Promise<void> {
  const row = { ...replay, record: JSON.stringify(replay.record) };
  await db
    .insertInto('forecast_replay')
    .values(row)
    .onConflict((oc) => oc.column('only_one').doUpdateSet(row))
    .execute();
}

export async function findReplay(db: Db): Promise<Replay | undefined> {
  return db
    .selectFrom('forecast_replay')
    .select(['made_at', 'model_version', 'first_day', 'last_day', 'sources', 'entries', 'head', 'record'])
    .executeTakeFirst();
}

export async function replayBasis(db: Db): Promise<ReplayBasis | undefined> {
  return db.selectFrom('forecast_replay').select(['code_version', 'candle_count']).executeTakeFirst();
}

export async function replayCandles(db: Db): Promise<Buffer | undefined> {
  return (await db.selectFrom('forecast_replay').select('candles').executeTakeFirst())?.candles;
}
