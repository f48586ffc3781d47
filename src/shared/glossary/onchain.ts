import type { Terms } from './term.ts';

const flow = (coin: string): Terms => ({
  [`flow.${coin.toLowerCase()}.net`]: {
    name: `Exchange netflow, ${coin}`,
    unit: coin,
    meaning: `${coin} moved to exchanges minus ${coin} withdrawn over 24h.`,
    formula: 'inflow − outflow',
    reading: 'Negative: coins leave exchanges, reducing supply for sale. Positive: coins arrive, often to be sold.',
  },
  [`flow.${coin.toLowerCase()}.in`]: {
    name: `Exchange inflow, ${coin}`,
    unit: coin,
    meaning: `${coin} moved to exchanges over 24h.`,
    formula: 'Sum of transfers to known exchange addresses',
  },
  [`flow.${coin.toLowerCase()}.out`]: {
    name: `Exchange outflow, ${coin}`,
    unit: coin,
    meaning: `${coin} moved from exchanges over 24h.`,
    formula: 'Sum of transfers from known exchange addresses',
  },
});

export const ONCHAIN_TERMS: Terms = {
  ...flow('BTC'),
  ...flow('ETH'),
  'whales.count': {
    name: 'Whale transfers (> $1M), 24h',
    unit: 'transfers',
    meaning: 'Transfers of $1M or more.',
    formula: 'Count over 24h, valued at the price at that time',
  },
  'whales.large': {
    name: 'Large transfers, 24h',
    unit: 'transfers',
    meaning: 'Transfers of $10M or more.',
    formula: 'Count over 24h',
  },
  'whales.deposits': {
    name: 'Whale deposits to exchanges, 24h',
    unit: 'transfers',
    meaning: 'Transfers of $1M or more to an exchange.',
    formula: 'Count over 24h of transfers to known exchange addresses',
  },
  hash_rate: {
    name: 'Hash rate',
    unit: 'H/s',
    meaning: 'Computing power securing Bitcoin.',
    formula: 'Estimated from difficulty and block times: difficulty × 2³² ÷ seconds per block',
  },
  difficulty: {
    name: 'Difficulty',
    unit: 'ratio',
    meaning: 'How hard it is to mine a Bitcoin block, adjusted every 2,016 blocks.',
    formula: 'As set by the network',
  },
  network_health: {
    name: 'Network health',
    unit: 'word',
    meaning: 'Current hash rate vs. its last 30 days.',
    formula: 'strong: 3% or more above the 30-day average; weak: more than 10% below it; else normal',
  },
  'addresses.btc.active': {
    name: 'Active addresses',
    unit: 'addresses per day',
    meaning: 'Bitcoin addresses that sent or received in a day.',
    formula: 'As reported by the source, daily',
  },
  'addresses.btc.new': {
    name: 'New addresses',
    unit: 'addresses per day',
    meaning: 'Bitcoin addresses seen for the first time.',
    formula: 'As reported by the source, daily',
  },
  'addresses.btc.returning': {
    name: 'Returning addresses',
    unit: 'addresses per day',
    meaning: 'Active addresses seen before.',
    formula: 'active − new',
  },
};

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
