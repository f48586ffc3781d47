import type { Asset, Direction, Horizon, Probabilities } from '#features/analysis/contract/predictions.ts';
import type { Ranges } from '#features/analysis/server/predictions/scoring/ranges.ts';

export type InputAsset = {
  priceUsd: number | null;
  priceAgeSeconds: number | null;
  changePercent: Record<'1h' | '24h' | '7d' | '30d', number | null>;
  volume24hUsd: number | null;
  /** Standard deviation of the daily log returns of the last 30 days: the scale for a flat outcome. */
  dailyVolatility: number | null;
};

export type InputMetric = {
  /** Display name and unit: 'Fear and greed index', '0 to 100'. */
  name: string;
  unit: string;
  value: number;
  change24hPercent: number | null;
  source: string;
  ageSeconds: number;
};

/** Events scheduled within the longest horizon, with their source. */
export type InputEvent = {
  title: string;
  /** ISO; midnight UTC of the day when the time is unknown. */
  at: string;
  impact: 'high' | 'medium' | 'low' | null;
  source: string;
};

export type Subject = Asset | 'market';
/** Frequency of each outcome over the trailing year, where known. */
export type Climatology = Partial<Record<Subject, Partial<Record<Horizon, Probabilities>>>>;

/** Input of an analyst: stored observations only, as plain JSON. Names and titles are external and untrusted. */
export type AnalystInput = {
  /** ISO, UTC. */
  issuedAt: string;
  assets: Record<Asset, InputAsset>;
  metrics: InputMetric[];
  narratives: { name: string; change24hPercent: number | null }[];
  events: InputEvent[];
  climatology: Climatology;
};

export type Term = {
  probabilities: Probabilities;
  direction: Direction;
  /** 100 times the largest probability. */
  confidence: number;
  reasoning: string;
  factors_analyzed: string[];
  key_factors: string[];
  risk_factors: string[];
};

export type Opinion = {
  reasoning: string;
  market: Record<Horizon, Term>;
  assets: Record<Asset, Record<Horizon, Probabilities>>;
  /** From an analyst that gives ranges; log returns from the price at issue. */
  ranges?: Partial<Record<Asset, Partial<Record<Horizon, Ranges>>>>;
};

/** Weight of an answer in the consensus at each horizon where weights are used; those of one analysis sum to 1. */
export type Weights = Partial<Record<Horizon, number>>;

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };

/** How the answer was constrained: to our schema, to JSON, or not at all. */
export type Structured = 'json_schema' | 'json_object' | 'text';

/** Null when the provider did not report it. */
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null };

export type Answer = {
  opinion: Opinion;
  /** Some probabilities were derived from a direction and a confidence. */
  imputed: boolean;
  model: string;
  /** The model the provider reports, if named differently. */
  modelVersion: string | null;
  promptVersion: string;
  /** SHA-256, hex: of the messages and the schema, and of the input as canonical JSON. */
  promptHash: string;
  inputHash: string;
  usage: Usage;
  structured: Structured;
};

/** A question of another feature: the model answers with one JSON object of that shape. */
export type Question = { name: string; schema: object; messages: readonly Message[] };
export type ModelReply = { value: object; model: string };

export type Analyst = {
  /** 'venice', 'groq', 'huggingface', or the operator's name for a further one. */
  id: string;
  name: string;
  /** Unique letter of the analyst on the outlook scale. */
  letter: string;
  /** The missing setting; null when it can be asked. */
  keyName: string | null;
  /** Throws SourceError with a message for users. */
  ask: (input: AnalystInput, signal: AbortSignal) => Promise<Answer>;
  /** The same for a question of another feature, which validates the answer itself. */
  complete: (question: Question, signal: AbortSignal) => Promise<ModelReply>;
};
