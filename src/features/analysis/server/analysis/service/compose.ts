import {
  type AiAnalysis,
  type PredictionSet,
  type ProviderOpinion,
  type TermView,
} from '#features/analysis/contract/analysis.ts';
import { type Direction, HORIZONS, type Horizon, type Probabilities } from '#features/analysis/contract/predictions.ts';
import { dispersion, linearPool } from '#features/analysis/server/predictions/service.ts';
import type { DataMode } from '#shared/provenance.ts';

import { confidenceOf, directionOf } from '../answer.ts';
import { LOCAL } from '../local/analyst.ts';
import type { StoredAnalysis, StoredAnswer } from '../store.ts';
import type { Analyst, Opinion, Term } from '../types.ts';

const HOUR_MS = 3_600_000;
/** The schedule's longest interval is four hours; an hour more and the analysis counts as stale. */
const FRESH_MS = 5 * HOUR_MS;
const KEY_FACTORS = 6;
const RISK_FACTORS = 6;

const TERMS = { check_point: '24h', short_term: '7d', medium_term: '28d', long_term: '180d' } as const;
type TermName = keyof typeof TERMS;
const UNIFORM: Probabilities = { up: 1 / 3, flat: 1 / 3, down: 1 / 3 };

const eachTerm = <T>(make: (horizon: Horizon) => T) =>
  Object.fromEntries(Object.entries(TERMS).map(([name, horizon]) => [name, make(horizon)])) as Record<TermName, T>;

/** Averaged over all horizons. */
const poolOverall = (at: (horizon: Horizon) => Probabilities): Probabilities => linearPool(HORIZONS.map(at)) ?? UNIFORM;

/** Each factor once, most frequent first. */
function joined(lists: readonly (readonly string[])[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const text of lists.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([text]) => text);
}

const toTermView = (horizon: Horizon, term: Term): TermView => ({
  horizon,
  market_direction: term.direction,
  confidence: term.confidence,
  reasoning: term.reasoning,
  probabilities: term.probabilities,
  factors_analyzed: term.factors_analyzed,
  key_factors: term.key_factors,
  risk_factors: term.risk_factors,
});

type AnalystAnswer = StoredAnswer & { opinion: Opinion; model: string };
const hasAnswered = (answer: StoredAnswer): answer is AnalystAnswer => answer.opinion !== null;

function toOpinion({ analyst, name, letter, model, model_version, imputed, opinion }: AnalystAnswer): ProviderOpinion {
  const overall = poolOverall((horizon) => opinion.market[horizon].probabilities);
  return {
    id: analyst,
    name,
    letter,
    built_in: analyst === LOCAL.id,
    model,
    model_version,
    imputed,
    overall_direction: directionOf(overall),
    overall_confidence: confidenceOf(overall),
    overall_reasoning: opinion.reasoning,
    ...eachTerm((horizon) => toTermView(horizon, opinion.market[horizon])),
    assets: opinion.assets,
  };
}

const WORDS = { BULLISH: 'Bullish', NEUTRAL: 'Neutral', BEARISH: 'Bearish' } as const;

type Outlook = { name: string; direction: Direction; confidence: number };

/**
 * Analysts by direction with their confidence, the most common direction first: "Bullish: Venice 61%, Groq 55%.
 * Neutral: ...".
 */
const listed = (outlooks: readonly Outlook[]): string =>
  [...Map.groupBy(outlooks, ({ direction }) => WORDS[direction])]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([word, own]) => {
      const names = own.map(({ name, confidence }) => `${name} ${Math.round(confidence)}%`);
      return `${word}: ${names.join(', ')}.`;
    })
    .join(' ');

/** The weights of an analysis at a horizon; undefined when its answers have equal weights. */
function weightsAt(answers: readonly AnalystAnswer[], horizon: Horizon): number[] | undefined {
  const weights = answers.map((answer) => answer.weights?.[horizon]);
  return weights.every((weight) => weight !== undefined) ? weights : undefined;
}

/** The basis of the headline: its sentence, direction and confidence share it. */
function basis(answers: readonly AnalystAnswer[]): string {
  if (answers.length === 1) return 'One analyst, averaged over all four horizons (24h to 180d).';
  const weighted = HORIZONS.filter((horizon) => weightsAt(answers, horizon));
  return weighted.length === 0
    ? `Equal-weighted average of ${answers.length} analysts over all four horizons (24h to 180d).`
    : `Average of ${answers.length} analysts over all four horizons (24h to 180d), weighted by their record at ${weighted.join(' and ')}.`;
}

/** "Weights by record: Venice 60%, Groq 40%. ", the largest first. */
function weightsText(answers: readonly AnalystAnswer[], weights: readonly number[]): string {
  const named = answers
    .map(({ name }, i) => ({ name, weight: weights[i] ?? 0 }))
    .toSorted((a, b) => b.weight - a.weight);
  return `Weights by record: ${named.map(({ name, weight }) => `${name} ${Math.round(100 * weight)}%`).join(', ')}. `;
}

/** The pool of all opinions for one horizon. */
function pooled(answers: readonly AnalystAnswer[], horizon: Horizon): TermView {
  const terms = answers.map(({ opinion }) => opinion.market[horizon]);
  const weights = weightsAt(answers, horizon);
  const opinions = terms.map((term) => term.probabilities);
  const probabilities = linearPool(opinions, weights) ?? UNIFORM;
  return {
    horizon,
    market_direction: directionOf(probabilities),
    confidence: confidenceOf(probabilities),
    reasoning:
      (weights ? weightsText(answers, weights) : '') +
      listed(answers.map(({ name, opinion }) => ({ name, ...opinion.market[horizon] }))),
    probabilities,
    factors_analyzed: joined(
      terms.map(({ factors_analyzed }) => factors_analyzed),
      KEY_FACTORS,
    ),
    key_factors: joined(
      terms.map(({ key_factors }) => key_factors),
      KEY_FACTORS,
    ),
    risk_factors: joined(
      terms.map(({ risk_factors }) => risk_factors),
      RISK_FACTORS,
    ),
  };
}

/** The analysis for display; `analysts` are those that could have been asked. */
export function composeAnalysis(
  stored: StoredAnalysis,
  analysts: readonly Pick<Analyst, 'id' | 'name' | 'keyName'>[],
  mode: DataMode,
): AiAnalysis {
  const answered = stored.answers.filter(hasAnswered);
  const terms = eachTerm((horizon) => pooled(answered, horizon));
  const overall = poolOverall((horizon) => pooled(answered, horizon).probabilities);
  const providers = Object.fromEntries(answered.map((answer) => [answer.analyst, toOpinion(answer)]));
  const reasoning = `${basis(answered)} ${listed(
    Object.values(providers).map(({ name, overall_direction, overall_confidence }) => ({
      name,
      direction: overall_direction,
      confidence: overall_confidence,
    })),
  )}`;
  const headline = { direction: directionOf(overall), confidence: confidenceOf(overall) };
  const failed = stored.answers.filter(({ opinion }) => opinion === null);
  const silent = analysts.filter(({ id }) => !stored.answers.some(({ analyst }) => analyst === id));
  return {
    id: stored.id,
    timestamp: stored.issued_at,
    market_direction: headline.direction,
    overall_direction: headline.direction,
    overall_confidence: headline.confidence,
    overall_reasoning: reasoning,
    confidence: headline.confidence,
    time_horizon: 'all',
    reasoning,
    ...terms,
    dispersion: Object.fromEntries(
      HORIZONS.map((horizon) => [
        horizon,
        dispersion(answered.map(({ opinion }) => opinion.market[horizon].probabilities)),
      ]),
    ) as AiAnalysis['dispersion'],
    providers,
    missing: [
      ...failed.map(({ analyst, name, failure }) => ({ id: analyst, name, key: null, reason: failure ?? '' })),
      ...silent.map(({ id, name, keyName }) => ({
        id,
        name,
        key: keyName,
        reason: keyName ? `Set ${keyName} to enable ${name}` : `${name} has not been queried yet`,
      })),
    ],
    ranges: stored.ranges,
    unanswered_at: stored.unanswered_at,
    meta: {
      source: answered.map(({ name }) => name).join(', '),
      observedAt: stored.issued_at,
      fetchedAt: stored.finished_at,
      method: mode === 'demo' ? 'demo' : 'computed',
      staleAfter: new Date(Date.parse(stored.issued_at) + FRESH_MS).toISOString(),
    },
  };
}

/** The newest prediction set: the pool's. */
export function toPredictionSet(analysis: AiAnalysis | null, preparing: number | null): PredictionSet {
  const part = (name: TermName) => {
    if (!analysis) return null;
    const { market_direction, confidence, reasoning } = analysis[name];
    return { market_direction, confidence, reasoning };
  };
  return {
    timestamp: analysis?.timestamp ?? null,
    short_term: part('short_term'),
    medium_term: part('medium_term'),
    long_term: part('long_term'),
    overall_direction: analysis?.overall_direction ?? null,
    overall_confidence: analysis?.overall_confidence ?? null,
    preparing,
  };
}
