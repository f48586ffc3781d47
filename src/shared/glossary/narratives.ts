import type { Terms } from './term.ts';

export const NARRATIVE_TERMS: Terms = {
  'narrative.volume': {
    name: 'Narrative volume, 24h',
    unit: 'USD',
    meaning: 'What changed hands in the coins of the narrative.',
    formula: 'Sum of their 24 h volumes',
  },
  'narrative.change': {
    name: 'Narrative change, 24h',
    unit: 'percent',
    meaning: 'How the coins of the narrative moved on average.',
    formula: 'Mean of their 24 h changes, weighted by market cap',
  },
  'narrative.relevance': {
    name: 'Relevance',
    unit: '0–1, shown as percent',
    meaning: 'How much the market is busy with the narrative now, against the other narratives.',
    formula:
      'rank-normalised mean of volume share, abnormal volume (z over 30 days) and breadth (part of the coins that rose)',
  },
  'narrative.sentiment': {
    name: 'Narrative sentiment',
    unit: 'word',
    meaning: 'How the narrative does against the whole market.',
    formula: 'cap-weighted 24 h change relative to the market, in σ of its daily moves; cuts at ±0.5σ and ±1.5σ',
    reading: '> 1.5σ very positive, > 0.5σ positive, < −0.5σ negative, < −1.5σ very negative, else neutral',
  },
  'narrative.risk': {
    name: 'Narrative risk',
    unit: 'word',
    meaning: 'How much the narrative moves, up or down, against the other narratives.',
    formula: 'tercile of realised volatility over 30 days: low, medium, high',
  },
  'narrative.opportunity': {
    name: 'Opportunity score',
    unit: '0–100',
    meaning: 'Attention, strength, breadth and calm in one number. It describes today and predicts nothing.',
    formula: '100 × (0.4 × relevance + 0.3 × normal-CDF of relative σ + 0.2 × breadth + 0.1 × (1 − volatility rank))',
  },
};
