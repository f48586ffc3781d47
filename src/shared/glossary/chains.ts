import type { Terms } from './term.ts';

export const CHAIN_TERMS: Terms = {
  'l1.price': {
    name: 'Price of the chain’s coin',
    unit: 'USD',
    meaning: 'The newest observation of any source.',
    formula: 'As the source gives it',
  },
  'l1.change': {
    name: '24h change of the chain’s coin',
    unit: 'percent',
    meaning: 'Price now against 24 hours ago.',
    formula: 'price ÷ price 24h ago − 1',
  },
  'l1.cap': {
    name: 'Market cap of the chain’s coin',
    unit: 'USD',
    meaning: 'What all coins of the chain in circulation are worth.',
    formula: 'price × circulating supply',
  },
  'l1.dominance': {
    name: 'Share of Layer 1',
    unit: 'percent',
    meaning: 'The share of a chain in the worth of the Layer 1 chains shown here.',
    formula: 'market cap ÷ sum of the market caps of these chains',
  },
  'l1.volume': {
    name: '24h volume of the chain’s coin',
    unit: 'USD',
    meaning: 'What changed hands in the coin over a day.',
    formula: 'As the source gives it',
  },
  'l1.tps': {
    name: 'Transactions per second',
    unit: 'per second',
    meaning: 'How much the chain is used, not how much it could carry.',
    formula: 'transactions in the newest blocks ÷ seconds they took; votes of validators are left out',
  },
  'l1.addresses': {
    name: 'Active addresses of a chain',
    unit: 'addresses a day',
    meaning: 'Addresses that sent or received in a day.',
    formula: 'As the source counts them, once a day',
  },
  'l1.total_cap': {
    name: 'Layer 1 market cap',
    unit: 'USD',
    meaning: 'What the coins of these chains are worth together.',
    formula: 'Sum of their market caps',
  },
  'l1.total_volume': {
    name: 'Layer 1 volume, 24h',
    unit: 'USD',
    meaning: 'What changed hands in the coins of these chains.',
    formula: 'Sum of their 24h volumes',
  },
  'l1.avg_change': {
    name: 'Layer 1 average change, 24h',
    unit: 'percent',
    meaning: 'How these chains moved on average, each counted once.',
    formula: 'Mean of their 24h changes',
  },
};
