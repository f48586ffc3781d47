import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { figures } from '#shared/figures.ts';

export const narrativeSentiment = z.enum(['very_positive', 'positive', 'neutral', 'negative', 'very_negative']);
export type NarrativeSentiment = z.infer<typeof narrativeSentiment>;

/** USD, percent. */
export const narrativeCoin = figures(['price_usd', 'change_24h'], { coin_symbol: z.string(), coin_name: z.string() });

export const riskLevel = z.enum(['low', 'medium', 'high']);

/** The components of relevance and opportunity; see the glossary for the formulas. */
export const narrativeTerms = z.object({
  /** Cap-weighted 24h change of the coins relative to the market, in σ of their daily moves. */
  relative_sigma: z.nullable(z.number()),
  /** Share of the whole market's volume, 0–1. */
  volume_share: z.nullable(z.number()),
  /** Today's volume relative to its last 30 days, in σ; null below 10 days of history. */
  volume_z: z.nullable(z.number()),
  /** Share of the coins that rose over 24h, 0–1. */
  breadth: z.nullable(z.number()),
  /** Annualised realised volatility over 30 days, 0–∞ (1 = 100%). */
  volatility: z.nullable(z.number()),
});

export const narrative = figures(['total_volume_24h', 'avg_change_24h', 'relevance_score'], {
  id: z.string(),
  narrative: z.string(),
  sentiment: z.nullable(narrativeSentiment),
  coins: z.array(narrativeCoin),
  /** `opportunity_score` 0–100. */
  market_insights: z.object({
    trend_analysis: z.string(),
    volume_analysis: z.string(),
    risk_level: z.nullable(riskLevel),
    opportunity_score: z.nullable(z.number()),
  }),
  terms: narrativeTerms,
});
export type Narrative = z.infer<typeof narrative>;

export const trendingNarratives = z.object({ timestamp: z.iso.datetime(), narratives: z.array(narrative) });
export type TrendingNarratives = z.infer<typeof trendingNarratives>;

export const getTrendingNarratives = endpoint({
  method: 'GET',
  path: '/api/trending-narratives',
  access: 'public',
  reply: trendingNarratives,
});
