import type { Narrative, NarrativeSentiment, TrendingNarratives } from '#features/market/contract/narratives.ts';
import { figuresOf, NOON, origin } from '#ui/testing/figures.ts';

type Coins = readonly (readonly [symbol: string, name: string, usd: number, change: number])[];

const narrative = (
  id: string,
  name: string,
  sentiment: NarrativeSentiment | null,
  [volume, change, relevance]: readonly [number, number, number],
  coins: Coins,
): Narrative => ({
  id,
  narrative: name,
  sentiment,
  coins: coins.map(([coin_symbol, coin_name, usd, move]) => ({
    coin_symbol,
    coin_name,
    ...figuresOf({ price_usd: [usd, origin('coin.price')], change_24h: [move, origin('coin.change')] }),
  })),
  ...figuresOf({
    total_volume_24h: [volume, origin('narrative.volume', { method: 'computed' })],
    avg_change_24h: [change, origin('narrative.change', { method: 'computed' })],
    relevance_score: [
      relevance,
      origin('narrative.relevance', {
        method: 'computed',
        historyDays: 12,
        terms: 'volume share rank 0.9, volume z rank 1.0, breadth rank 0.8',
      }),
    ],
  }),
  market_insights: {
    trend_analysis: `${name} moves with the market: 4 of 5 coins rose over 24 hours, 1.8σ ahead of the whole.`,
    volume_analysis: '$3.12B in 24h, 2.1% of total volume, +2.1σ vs. its 12-day average',
    risk_level: 'medium',
    opportunity_score: 74,
  },
  terms: { relative_sigma: 1.82, volume_share: 0.021, volume_z: 2.1, breadth: 0.8, volatility: 0.74 },
});

const COINS: Coins = [
  ['ONDO', 'Ondo', 1.12, 9.2],
  ['CFG', 'Centrifuge', 0.381, 6.1],
  ['POLYX', 'Polymesh', 0.243, 4.4],
  ['MKR', 'Maker', 1612.4, 2.2],
  ['PENDLE', 'Pendle', 5.61, 8.8],
];

export const narratives: TrendingNarratives = {
  timestamp: new Date(NOON).toISOString(),
  narratives: [
    narrative('rwa', 'Real World Assets', 'very_positive', [3.12e9, 7.84, 0.92], COINS),
    narrative('ai', 'AI & Big Data', 'positive', [5.4e9, 4.31, 0.84], COINS),
    narrative('layer-2', 'Layer 2', 'positive', [2.2e9, 2.05, 0.71], COINS),
    narrative('depin', 'DePIN', 'neutral', [1.1e9, 0.22, 0.58], COINS),
    narrative('defi', 'DeFi', 'neutral', [4.4e9, 0.87, 0.55], COINS),
    narrative('memes', 'Meme Coins', 'negative', [8.1e9, -6.18, 0.47], COINS),
  ],
};
