import { randomUUID } from 'node:crypto';
import {
  HORIZON_DAYS,
  HORIZONS,
  type PoolComparison,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import { CONSENSUS, type Ground, linearPool, type Statement } from '#features/analysis/server/predictions/service.ts';
import { marketTopic, TRACKED } from '#features/market/contract/market.ts';
import { canonicalJson, sha256 } from '#kernel/canonical-json.ts';
import { AppError } from '#kernel/errors.ts';
import { SourceError } from '#kernel/http/source-error.ts';

import type { AnalysisContext } from '../context.ts';
import { LOCAL, localAnswer } from '../local/analyst.ts';
import type { SourcedCandles } from '../local/replay-ledger.ts';
import { type Forecaster, SETTINGS } from '../local/volatility-model.ts';
import { insertAnalysis, lockAnalyses, type NewAnswer, newestAnalysis } from '../store.ts';
import type { Analyst, AnalystInput, Answer, Weights } from '../types.ts';
import { readInput } from './input.ts';

const DAY_MS = 86_400_000;
/** Three years of windows, the longest window, and the history that the first of them needs. */
export const PAST_DAYS =
  SETTINGS.fitDays + SETTINGS.refitDays + HORIZON_DAYS['180d'] + 2 * Math.max(...SETTINGS.memories);

/** Daily candles of the days completed by a moment, as far back as `days`. */
export async function candlesAt({ market }: AnalysisContext, at: Date, days = PAST_DAYS): Promise<SourcedCandles[]> {
  const from = new Date(at.getTime() - days * DAY_MS);
  const ids = TRACKED.map(({ id }) => id);
  const stored = await market.dailyCandles(ids, from, at);
  const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
  return TRACKED.map(({ id, symbol }) => ({
    coin: symbol,
    candles: (stored.get(id) ?? [])
      .map(({ day, open, high, low, close, source }) => ({ day: dayNumber(day), open, high, low, close, source }))
      .filter(({ day }) => (day + 1) * DAY_MS <= at.getTime()),
  }));
}

/** Timeout of all analysts: a call must be frozen within five minutes of its input. */
const LONGEST_MS = 4 * 60_000;

/**
 * The market data an analysis is based on; null while prices or their history are missing, so that no call could be
 * graded.
 */
export async function readyAt({ predictions, market }: AnalysisContext, at: Date): Promise<Ground | null> {
  const ground = await predictions.groundAt(at, market);
  const isWhole = SYMBOLS.every((asset) => typeof ground.get(asset)?.standings['24h'].band === 'number');
  return isWhole ? ground : null;
}

/** All answers of one moment, not stored yet. */
export type Prepared = { at: Date; ground: Ground; input: AnalystInput; answers: NewAnswer[] };

/**
 * Asks all analysts the same at one moment. `known` holds candles the caller has already loaded. Throws `unavailable`
 * without market data.
 */
export async function prepare(
  ctx: AnalysisContext,
  analysts: readonly Analyst[],
  signal: AbortSignal,
  at: Date,
  known?: { candles: readonly SourcedCandles[]; forecaster: Forecaster },
): Promise<Prepared> {
  const ground = await readyAt(ctx, at);
  if (!ground) throw new AppError('unavailable', 'Prices and history of the five assets are not available yet');
  const [input, candles] = await Promise.all([readInput(ctx, at, ground), known?.candles ?? candlesAt(ctx, at)]);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const available = analysts.filter(({ keyName }) => keyName === null);
  const answers = await Promise.all(available.map((analyst) => ask(analyst, input, limit)));
  signal.throwIfAborted();
  const answer = localAnswer(candles, at, input.climatology, known?.forecaster);
  const own: NewAnswer = { analyst: LOCAL.id, name: LOCAL.name, letter: LOCAL.letter, answer, failure: null };
  return { at, ground, input, answers: [...answers, own] };
}

/**
 * Stores analysis, answers and frozen calls together or not at all, and returns the id of the analysis. Returns null
 * and stores nothing when another was stored since `before`: the record holds one call per analyst for each collection.
 */
export async function store(
  ctx: AnalysisContext,
  { at, ground, input, answers }: Prepared,
  before: string | null,
  pools: readonly PoolComparison[],
): Promise<string | null> {
  const all = weighted(answers, pools);
  const id = randomUUID();
  const given = all.flatMap(({ analyst, answer, weights }) =>
    answer ? [{ statement: toStatement(analyst, answer), weights }] : [],
  );
  const statements = given.map(({ statement }) => statement);
  const absences = answers.flatMap(({ analyst, failure }) => (failure === null ? [] : [{ analyst, reason: failure }]));
  return ctx.db.transaction().execute(async (tx) => {
    await lockAnalyses(tx);
    if ((await newestAnalysis(tx)) !== before) return null;
    const finishedAt = ctx.now();
    const inputHash = sha256(canonicalJson(input));
    await insertAnalysis(tx, { id, issuedAt: at, finishedAt, input, inputHash }, all);
    const submission = {
      analysisId: id,
      issuedAt: at,
      statements: [...statements, toConsensusStatement(given)],
      absences,
    };
    await ctx.predictions.freeze(tx, submission, ground, finishedAt);
    return id;
  });
}

/** Runs an analysis now, records it and publishes it. */
export async function runAnalysis(
  ctx: AnalysisContext,
  analysts: readonly Analyst[],
  signal: AbortSignal,
): Promise<void> {
  if (ctx.openPast && ((await ctx.predictions.isCatchingUp()) || !(await ctx.predictions.newestEntryAt())))
    throw new AppError('unavailable', 'The demo track record is still being generated. Try again in a minute');
  try {
    const before = await newestAnalysis(ctx.db);
    await store(ctx, await prepare(ctx, analysts, signal, ctx.now()), before, ctx.predictions.record().pools);
    await ctx.predictions.score();
  } finally {
    await ctx.sources.save();
    await ctx.live.publish(marketTopic, { at: ctx.now().getTime(), changed: ['dashboard', 'sources'] });
  }
}

async function ask(analyst: Analyst, input: AnalystInput, signal: AbortSignal): Promise<NewAnswer> {
  const identity = { analyst: analyst.id, name: analyst.name, letter: analyst.letter };
  try {
    return { ...identity, answer: await analyst.ask(input, signal), failure: null };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ...identity, answer: null, failure: error.message };
  }
}

function toStatement(analyst: string, answer: Answer): Statement {
  const { model, modelVersion, promptVersion, promptHash, inputHash, imputed, opinion } = answer;
  const answerHash = sha256(canonicalJson(opinion));
  return {
    analyst,
    model,
    modelVersion,
    promptVersion,
    promptHash,
    inputHash,
    answerHash,
    imputed,
    calls: opinion.assets,
    ...(opinion.ranges && { ranges: opinion.ranges }),
  };
}

/**
 * Sets the weights of each answer at the horizons where the record uses them. A model without a record gets the mean
 * weight.
 */
function weighted(answers: readonly NewAnswer[], pools: readonly PoolComparison[]): NewAnswer[] {
  const answered = answers.filter(({ answer }) => answer !== null);
  const weights = new Map<string, Weights>();
  for (const { horizon, weights: learned } of pools.filter(({ used }) => used)) {
    const known = answered.map(
      ({ analyst, answer }) =>
        learned.find(({ provider, model }) => provider === analyst && model === answer?.model)?.weight,
    );
    const recorded = known.filter((weight) => weight !== undefined);
    const total = recorded.reduce((sum, weight) => sum + weight, 0);
    if (answered.length < 2 || !(total > 0)) continue;
    const mean = total / recorded.length;
    const sum = known.reduce<number>((so, weight) => so + (weight ?? mean), 0);
    for (const [i, { analyst }] of answered.entries())
      weights.set(analyst, { ...weights.get(analyst), [horizon]: (known[i] ?? mean) / sum });
  }
  return answers.map((answer) => {
    const own = weights.get(answer.analyst);
    return answer.answer && own ? { ...answer, weights: own } : answer;
  });
}

/** The pool, frozen as a call of its own: one track for equal weights, another for weights by past losses. */
function toConsensusStatement(given: readonly { statement: Statement; weights: Weights | undefined }[]): Statement {
  const statements = given.map(({ statement }) => statement);
  const isWeighted = given.some(({ weights }) => weights);
  const calls = Object.fromEntries(
    SYMBOLS.map((asset) => [
      asset,
      Object.fromEntries(
        HORIZONS.map((horizon) => [
          horizon,
          linearPool(
            statements.map((each) => each.calls[asset][horizon]),
            given.map(({ weights }) => weights?.[horizon] ?? 1),
          ),
        ]),
      ),
    ]),
  ) as Record<(typeof SYMBOLS)[number], Record<(typeof HORIZONS)[number], Probabilities>>;
  const members = given.map(({ statement: { analyst, answerHash }, weights }) => ({
    analyst,
    answerHash,
    ...(weights && { weights }),
  }));
  const rules = isWeighted ? 'pool-2' : 'pool-1';
  return {
    analyst: CONSENSUS,
    model: isWeighted ? 'weighted-pool' : 'equal-weight-pool',
    modelVersion: '1',
    promptVersion: rules,
    promptHash: sha256(rules),
    inputHash: sha256(canonicalJson(members)),
    answerHash: sha256(canonicalJson(calls)),
    imputed: statements.some(({ imputed }) => imputed),
    calls,
  };
}
