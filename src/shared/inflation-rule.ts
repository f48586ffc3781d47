/** The six series whose surprises make the score. */
export const SCORED = ['cpi', 'coreCPI', 'pce', 'corePCE', 'ppi', 'corePPI'] as const;
export type Scored = (typeof SCORED)[number];
export type Weights = Readonly<Record<Scored, number>>;

export const SCORED_NAMES: Readonly<Record<Scored, string>> = {
  cpi: 'CPI',
  coreCPI: 'Core CPI',
  pce: 'PCE',
  corePCE: 'Core PCE',
  ppi: 'PPI',
  corePPI: 'Core PPI',
};

export const SENTIMENT_WEIGHTS: Weights = { cpi: 0.3, coreCPI: 0.2, pce: 0.2, corePCE: 0.1, ppi: 0.1, corePPI: 0.1 };

/** Stocks weight the core rates slightly more, bonds the measure the central bank targets. */
export const IMPACT_WEIGHTS: Readonly<Record<'crypto' | 'stocks' | 'bonds', Weights>> = {
  crypto: SENTIMENT_WEIGHTS,
  stocks: { cpi: 0.25, coreCPI: 0.25, pce: 0.15, corePCE: 0.15, ppi: 0.1, corePPI: 0.1 },
  bonds: { cpi: 0.2, coreCPI: 0.25, pce: 0.15, corePCE: 0.3, ppi: 0.05, corePPI: 0.05 },
};

/** A surprise of this many points counts as one, up to two. */
const UNIT_POINTS = 0.1;
const MAX_UNITS = 2;
const CUTS = [1.5, 0.75, 0.25] as const;

export const SENTIMENT_STEPS = [
  'very_bullish',
  'bullish',
  'slightly_bullish',
  'neutral',
  'slightly_bearish',
  'bearish',
  'very_bearish',
] as const;
export const IMPACT_STEPS = [
  'strong_positive',
  'positive',
  'slightly_positive',
  'neutral',
  'slightly_negative',
  'negative',
  'strong_negative',
] as const;

const rounded = (value: number) => Math.round(value * 1e6) / 1e6 + 0;

/** Of one surprise in points: above expectations is negative for risk assets. */
export function computeContribution(surprise: number, weight: number): number {
  const units = Math.max(-MAX_UNITS, Math.min(MAX_UNITS, surprise / UNIT_POINTS));
  return rounded(-units * weight);
}

/** From −2 to 2; null when no surprise is known. */
export function computeScore(surprises: Readonly<Record<Scored, number | null>>, weights: Weights): number | null {
  if (SCORED.every((series) => surprises[series] === null)) return null;
  return rounded(SCORED.reduce((sum, series) => sum + computeContribution(surprises[series] ?? 0, weights[series]), 0));
}

/** 0 is the best of the seven steps, 6 the worst; a score on a boundary belongs to the stronger step. */
export function scoreStep(score: number): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  const [strong, plain, slight] = CUTS;
  if (score >= strong) return 0;
  if (score >= plain) return 1;
  if (score >= slight) return 2;
  if (score > -slight) return 3;
  if (score > -plain) return 4;
  return score > -strong ? 5 : 6;
}
