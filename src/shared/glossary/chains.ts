import type { Terms } from './term.ts';

export const CHAIN_TERMS: Terms = {
  'l1.price': {
    name: 'Chain coin price',
    unit: 'USD',
    meaning: 'The latest observation from any source.',
    formula: 'As reported by the source',
  },
  'l1.change': {
    name: 'Chain coin 24h change',
    unit: 'percent',
    meaning: 'Current price vs. 24 hours ago.',
    formula: 'price ÷ price 24h ago − 1',
  },
  'l1.cap': {
    name: 'Chain coin market cap',
    unit: 'USD',
    meaning: 'Value of the chain’s circulating supply.',
    formula: 'price × circulating supply',
  },
  'l1.dominance': {
    name: 'Share of Layer 1',
    unit: 'percent',
    meaning: 'A chain’s share of the total market cap of the Layer 1 chains shown here.',
    formula: 'market cap ÷ sum of the market caps of these chains',
  },
  'l1.volume': {
    name: 'Chain coin 24h volume',
    unit: 'USD',
    meaning: '24h trading volume of the coin.',
    formula: 'As reported by the source',
  },
  'l1.tps': {
    name: 'Transactions per second',
    unit: 'per second',
    meaning: 'Actual usage of the chain, not its capacity.',
    formula: 'transactions in the latest blocks ÷ seconds they span; validator votes excluded',
  },
  'l1.addresses': {
    name: 'Chain active addresses',
    unit: 'addresses per day',
    meaning: 'Addresses that sent or received in a day.',
    formula: 'As reported by the source, daily',
  },
  'l1.total_cap': {
    name: 'Layer 1 market cap',
    unit: 'USD',
    meaning: 'Combined market cap of these chains’ coins.',
    formula: 'Sum of their market caps',
  },
  'l1.total_volume': {
    name: 'Layer 1 volume, 24h',
    unit: 'USD',
    meaning: 'Combined trading volume of these chains’ coins.',
    formula: 'Sum of their 24h volumes',
  },
  'l1.avg_change': {
    name: 'Layer 1 average change, 24h',
    unit: 'percent',
    meaning: 'Average move of these chains, equally weighted.',
    formula: 'Average of their 24h changes',
  },
};
