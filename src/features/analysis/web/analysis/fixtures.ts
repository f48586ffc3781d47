import type { AiAnalysis, ProviderOpinion, TermView } from '#features/analysis/contract/analysis.ts';
import {
  type BacktestSummary,
  type Direction,
  HORIZONS,
  type Horizon,
  type Probabilities,
  SYMBOLS,
} from '#features/analysis/contract/predictions.ts';
import type { RecordCell } from './labels.ts';

const DIRECTION = { up: 'BULLISH', flat: 'NEUTRAL', down: 'BEARISH' } as const;

function called(of: Probabilities): { direction: Direction; confidence: number } {
  const [name, p] = Object.entries(of).reduce((best, next) => (next[1] > best[1] ? next : best));
  return { direction: DIRECTION[name as keyof Probabilities], confidence: p * 100 };
}

const chances = (up: number, down: number): Probabilities => ({ up, flat: 1 - up - down, down });

const words = (what: string, n: number) => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);

function term(horizon: Horizon, of: Probabilities, who: string): TermView {
  const { direction, confidence } = called(of);
  return {
    horizon,
    market_direction: direction,
    confidence,
    reasoning: `${who} over ${horizon}.`,
    probabilities: of,
    factors_analyzed: words(`${who} read factor`, 8),
    key_factors: words(`${who} key factor`, 8),
    risk_factors: words(`${who} risk`, 4),
  };
}

type Leans = readonly [day: Probabilities, short: Probabilities, medium: Probabilities, long: Probabilities];

const terms = (who: string, [day, short, medium, long]: Leans) => ({
  check_point: term('24h', day, who),
  short_term: term('7d', short, who),
  medium_term: term('28d', medium, who),
  long_term: term('180d', long, who),
});

const everywhere = (of: Probabilities) =>
  Object.fromEntries(
    SYMBOLS.map((asset) => [asset, Object.fromEntries(HORIZONS.map((horizon) => [horizon, of]))]),
  ) as ProviderOpinion['assets'];

function opinion(
  [id, name, letter, model]: readonly [string, string, string, string],
  overall: Probabilities,
  leans: Leans,
  change: Partial<ProviderOpinion> = {},
): ProviderOpinion {
  const { direction, confidence } = called(overall);
  return {
    id,
    name,
    letter,
    built_in: false,
    model,
    model_version: null,
    imputed: false,
    overall_direction: direction,
    overall_confidence: confidence,
    overall_reasoning: `${name} sees the spot demand lead.`,
    ...terms(name, leans),
    assets: everywhere(overall),
    ...change,
  };
}

const UP = chances(0.83, 0.07);
const MILD = chances(0.62, 0.2);
const EVEN = chances(0.3, 0.3);
const DOWN = chances(0.2, 0.5);

export const venice = opinion(['venice', 'Venice', 'V', 'zai-org-glm-5-2'], UP, [UP, UP, MILD, EVEN]);
export const groq = opinion(['groq', 'Groq', 'G', 'openai/gpt-oss-120b'], MILD, [MILD, MILD, DOWN, DOWN], {
  overall_reasoning: `${'r'.repeat(299)}END and what follows it`,
  imputed: true,
});
export const local = opinion(
  ['local', 'Built-in analyst (statistics, no AI)', 'B', 'volatility'],
  EVEN,
  [EVEN, EVEN, EVEN, EVEN],
  { built_in: true, model_version: '1' },
);

/** Two models and the built-in analyst; the third model has no key, a fourth did not respond. */
export const analysisOf = (nowMs: number, change: Partial<AiAnalysis> = {}): AiAnalysis => {
  const issued = new Date(nowMs - 720_000).toISOString();
  return {
    id: '10f9a24a-f664-4c2f-a7a5-e41584addf45',
    timestamp: issued,
    market_direction: 'BULLISH',
    overall_direction: 'BULLISH',
    overall_confidence: 58.4,
    overall_reasoning: `${'c'.repeat(399)}END and the rest of the case`,
    confidence: 58,
    time_horizon: 'all',
    reasoning: 'Venice bullish at 83%.',
    ...terms('Pool', [MILD, chances(0.58, 0.19), EVEN, DOWN]),
    dispersion: { '24h': 0.1, '7d': 0.31, '28d': 0.52, '180d': null },
    providers: { local, venice, groq },
    missing: [
      {
        id: 'huggingface',
        name: 'Hugging Face',
        key: 'HUGGINGFACE_API_KEY',
        reason: 'Set HUGGINGFACE_API_KEY to ask it',
      },
      { id: 'own', name: 'Own model', key: null, reason: 'Own model did not answer in time' },
    ],
    ranges: (['24h', '7d', '28d', '180d'] as const).map((horizon) => ({
      provider: 'local',
      crypto_symbol: 'BTC' as const,
      horizon,
      issued_at: issued,
      price: 97_000,
      range_80: { low: 94_123.4, high: 99_876.5 },
      range_95: { low: 91_000, high: 103_400 },
    })),
    unanswered_at: null,
    meta: {
      source: 'Venice, Groq',
      observedAt: issued,
      fetchedAt: issued,
      method: 'computed',
      staleAfter: new Date(nowMs + 3_600_000).toISOString(),
    },
    ...change,
  };
};

const cell = (provider: string, horizon: Horizon, change: Partial<RecordCell>): RecordCell => ({
  provider,
  model: 'm',
  current: true,
  horizon,
  verdict: 'no evidence',
  p_ahead: null,
  p_behind: null,
  n: 240,
  dates: 48,
  n_eff: 48,
  pending: 5,
  voids: 0,
  void_rate: 0,
  missing: 0,
  hit_rate: 0.5,
  hit_interval: { low: 0.41, high: 0.59 },
  brier: 0.6,
  brier_climatology: 0.62,
  brier_persistence: 0.7,
  brier_always_up: 1.2,
  brier_uniform: 0.667,
  skill: 0,
  rps: 0.4,
  log_score: 1,
  rank_correlation: 0,
  difference: null,
  direction: null,
  ranges: null,
  recalibrated: null,
  ...change,
});

/** Twice as confident as warranted. */
const HALF = { intercept: 0, slope: 0.5 };

export const cells: RecordCell[] = [
  cell('venice', '24h', { verdict: 'ahead', n: 1240, hit_rate: 0.614, skill: 0.083 }),
  cell('venice', '7d', { hit_rate: 0.383, skill: -0.021, n_eff: 7 }),
  cell('groq', '24h', { verdict: 'behind', hit_rate: 0.29, skill: -0.34 }),
  cell('groq', '7d', { n: 0, hit_rate: null, hit_interval: null, skill: null }),
  cell('consensus', '24h', {
    hit_rate: 0.472,
    skill: 0.004,
    recalibrated: { brier: 0.59, skill: 0.02, log_score: 1, map: { up: HALF, flat: HALF, down: HALF } },
  }),
];

export const recordOf = (nowMs: number): BacktestSummary => ({
  timestamp: new Date(nowMs - 600_000).toISOString(),
  overall_accuracy: 44,
  total_predictions: 960,
  average_correlation: 0.1,
  by_symbol: {},
  recent_results: [],
  recent_hits: [],
  headline: null,
  cells,
});
