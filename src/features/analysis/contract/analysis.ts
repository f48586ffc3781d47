import { z } from 'zod/mini';

import { direction, horizon, interval, probabilities, symbol } from '#features/analysis/contract/predictions.ts';
import { endpoint, topic } from '#shared/contract.ts';
import { provenance } from '#shared/provenance.ts';

/** View of the whole market at one horizon. `confidence` is 100 times the largest probability. */
export const term = z.object({
  horizon,
  market_direction: direction,
  confidence: z.number(),
  reasoning: z.string(),
  probabilities,
  factors_analyzed: z.array(z.string()),
  key_factors: z.array(z.string()),
  risk_factors: z.array(z.string()),
});
export type TermView = z.infer<typeof term>;

/** A check-point after a day, then 7, 28 and 180 days. */
const terms = { check_point: term, short_term: term, medium_term: term, long_term: term };

/** One analyst's opinion. `built_in` marks the analyst that is not a language model. */
export const providerOpinion = z.object({
  id: z.string(),
  name: z.string(),
  /** As the outlook scale shows it. */
  letter: z.string(),
  built_in: z.boolean(),
  model: z.string(),
  model_version: z.nullable(z.string()),
  /** Some probabilities were derived from a direction and a confidence. */
  imputed: z.boolean(),
  overall_direction: direction,
  overall_confidence: z.number(),
  overall_reasoning: z.string(),
  ...terms,
  assets: z.record(symbol, z.record(horizon, probabilities)),
});
export type ProviderOpinion = z.infer<typeof providerOpinion>;

/** An analyst that could not be asked. `key` names the missing setting. */
export const missingProvider = z.object({
  id: z.string(),
  name: z.string(),
  key: z.nullable(z.string()),
  reason: z.string(),
});

/** Price range of one coin at the end of a horizon, with 80% and 95% coverage; USD. */
export const priceRange = z.object({
  provider: z.string(),
  crypto_symbol: symbol,
  horizon,
  issued_at: z.iso.datetime(),
  /** At issue. */
  price: z.number(),
  range_80: interval,
  range_95: interval,
});
export type PriceRange = z.infer<typeof priceRange>;

/** The latest analysis: all opinions pooled with equal weights, and each of them. */
export const aiAnalysis = z.object({
  id: z.string(),
  timestamp: z.iso.datetime(),
  market_direction: direction,
  overall_direction: direction,
  overall_confidence: z.number(),
  overall_reasoning: z.string(),
  confidence: z.number(),
  /** The headline pools every horizon. */
  time_horizon: z.literal('all'),
  reasoning: z.string(),
  ...terms,
  /** Mean pairwise distance of the leans up − down, 0 to 2, by horizon; null for a single opinion. */
  dispersion: z.record(horizon, z.nullable(z.number())),
  providers: z.record(z.string(), providerOpinion),
  missing: z.array(missingProvider),
  /** The latest frozen ranges, also after `unanswered_at`; empty when no analyst gives ranges. */
  ranges: z.array(priceRange),
  /** Time of a later run in which no model responded, so that this analysis remains current; otherwise null. */
  unanswered_at: z.nullable(z.iso.datetime()),
  meta: provenance,
});
export type AiAnalysis = z.infer<typeof aiAnalysis>;

const shortTerm = z.nullable(z.pick(term, { market_direction: true, confidence: true, reasoning: true }));

/** The newest prediction set; every field is null before the first analysis. */
export const predictionSet = z.object({
  timestamp: z.nullable(z.iso.datetime()),
  short_term: shortTerm,
  medium_term: shortTerm,
  long_term: shortTerm,
  overall_direction: z.nullable(direction),
  overall_confidence: z.nullable(z.number()),
  /** Percent of the demo's history written so far; null in live mode and once complete. */
  preparing: z.nullable(z.int()),
});
export type PredictionSet = z.infer<typeof predictionSet>;

export const getPredictions = endpoint({
  method: 'GET',
  path: '/api/predictions',
  access: 'public',
  reply: predictionSet,
});

/** `running`: one was already in progress, and this call has joined it. */
const started = z.object({ status: z.enum(['started', 'running']) });

export const runAnalysis = endpoint({ method: 'POST', path: '/api/ai-analysis', access: 'admin', reply: started });
export const collectData = endpoint({ method: 'POST', path: '/api/collect-data', access: 'admin', reply: started });

export const collectionStep = z.enum(['market', 'analysis', 'backtest']);
export type CollectionStep = z.infer<typeof collectionStep>;

/** A step of a collection started or ended; `note` gives the reason of a failure. */
export const collectionTopic = topic({
  name: 'collection',
  access: 'public',
  data: z.object({
    at: z.number(),
    step: collectionStep,
    state: z.enum(['running', 'complete', 'failed']),
    note: z.nullable(z.string()),
  }),
});

/** The demo has written another day of its history, or completed it. */
export const demoHistoryTopic = topic({ name: 'demo-history', access: 'public', data: z.object({ at: z.number() }) });
