import type { NarrativeSentiment } from '#features/market/contract/narratives.ts';

/** Trading days per year, for annualising. */
const DAYS_A_YEAR = 365;
/** A shorter history does not define what is normal. */
export const LEAST_VOLUME_DAYS = 10;
export const LEAST_RETURNS = 10;
const WEIGHTS = { relevance: 0.4, strength: 0.3, breadth: 0.2, calm: 0.1 } as const;

export type Weighted = { value: number | null; weight: number | null };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample standard deviation, in the unit of the values; null below two of them. */
function deviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/** Mean weighted by market cap, over coins with both figures. In the unit of the values; null without any. */
export function capWeighted(coins: readonly Weighted[]): number | null {
  let sum = 0;
  let total = 0;
  for (const { value, weight } of coins) {
    if (value === null || weight === null || weight <= 0) continue;
    sum += value * weight;
    total += weight;
  }
  return total > 0 ? sum / total : null;
}

/**
 * Realised volatility of one coin from daily log returns, annualised by √365 (1 = 100% per year); null below 10
 * returns.
 */
export function realisedVolatility(returns: readonly number[]): number | null {
  if (returns.length < LEAST_RETURNS) return null;
  const daily = deviation(returns);
  return daily === null ? null : daily * Math.sqrt(DAYS_A_YEAR);
}

/** The coins' volatilities, weighted by market cap; null when they represent less than half of the cap. */
export function basketVolatility(coins: readonly Weighted[]): number | null {
  const cap = (of: readonly Weighted[]) => of.reduce((sum, { weight }) => sum + Math.max(0, weight ?? 0), 0);
  const covered = coins.filter(({ value }) => value !== null);
  return cap(covered) * 2 < cap(coins) ? null : capWeighted(covered);
}

/** Difference between a 24h change and the market's, both in percent, in σ of one day of the annualised volatility. */
export function relativeSigma(change: number | null, market: number | null, volatility: number | null): number | null {
  if (change === null || market === null || volatility === null || volatility <= 0) return null;
  return (change - market) / (100 * (volatility / Math.sqrt(DAYS_A_YEAR)));
}

/** Volume relative to its own past days (USD each), in σ; null below 10 days or when they are constant. */
export function abnormalVolume(volume: number, past: readonly number[]): number | null {
  if (past.length < LEAST_VOLUME_DAYS) return null;
  const spread = deviation(past);
  const centre = mean(past);
  if (spread === null || spread <= Math.abs(centre) * 1e-9) return null;
  return (volume - centre) / spread;
}

/** Share of the coins with a known change that rose, 0–1; null when no change is known. */
export function computeBreadth(changes: readonly (number | null)[]): number | null {
  const known = changes.filter((change) => change !== null);
  return known.length > 0 ? known.filter((change) => change > 0).length / known.length : null;
}

/** Ranks from 0 (lowest) to 1 (highest), ties share the mean of their ranks; a single value is 0.5. */
export function rankNormalised(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null);
  return values.map((value) => {
    if (value === null) return null;
    if (known.length === 1) return 0.5;
    const below = known.filter((other) => other < value).length;
    const equal = known.filter((other) => other === value).length;
    return (below + (equal - 1) / 2) / (known.length - 1);
  });
}

/** Mean of the known ranks, 0–1; null without any. */
export function computeRelevance(ranks: readonly (number | null)[]): number | null {
  const known = ranks.filter((rank) => rank !== null);
  return known.length > 0 ? mean(known) : null;
}

/** Cuts at ±0.5σ and ±1.5σ. */
export function classifySentiment(sigma: number | null): NarrativeSentiment | null {
  if (sigma === null) return null;
  if (sigma > 1.5) return 'very_positive';
  if (sigma > 0.5) return 'positive';
  if (sigma < -1.5) return 'very_negative';
  return sigma < -0.5 ? 'negative' : 'neutral';
}

/** Tercile of the volatility's rank among the narratives. */
export function classifyRisk(volatilityRank: number | null): 'low' | 'medium' | 'high' | null {
  if (volatilityRank === null) return null;
  if (volatilityRank < 1 / 3) return 'low';
  return volatilityRank < 2 / 3 ? 'medium' : 'high';
}

/** The normal distribution function Φ, 0–1 (Abramowitz and Stegun 7.1.26, error below 1.5e-7). */
export function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-x * x)) / 2;
  return z >= 0 ? 1 - tail : tail;
}

export type OpportunityTerms = {
  relevance: number | null;
  relativeSigma: number | null;
  breadth: number | null;
  volatilityRank: number | null;
};

/** 100 × (0.4·relevance + 0.3·Φ(relative σ) + 0.2·breadth + 0.1·(1 − volatility rank)); null when a term is unknown. */
export function computeOpportunity(terms: OpportunityTerms): number | null {
  const { relevance, relativeSigma: sigma, breadth, volatilityRank } = terms;
  if (relevance === null || sigma === null || breadth === null || volatilityRank === null) return null;
  return (
    100 *
    (WEIGHTS.relevance * relevance +
      WEIGHTS.strength * normalCdf(sigma) +
      WEIGHTS.breadth * breadth +
      WEIGHTS.calm * (1 - volatilityRank))
  );
}
