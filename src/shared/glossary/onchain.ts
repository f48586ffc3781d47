import type { Terms } from './term.ts';

const flow = (coin: string): Terms => ({
  [`flow.${coin.toLowerCase()}.net`]: {
    name: `Exchange netflow, ${coin}`,
    unit: coin,
    meaning: `${coin} moved to exchanges less what left them over 24h.`,
    formula: 'inflow − outflow',
    reading: 'Negative: coins leave exchanges, fewer are for sale. Positive: coins arrive, often to be sold.',
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
    meaning: 'Transfers of 1 M USD or more.',
    formula: 'Count over 24h, each at the price of its moment',
  },
  'whales.large': {
    name: 'Large transfers, 24h',
    unit: 'transfers',
    meaning: 'Transfers of 10 M USD or more.',
    formula: 'Count over 24h',
  },
  'whales.deposits': {
    name: 'Whale deposits to exchanges, 24h',
    unit: 'transfers',
    meaning: 'Transfers of 1 M USD or more that went to an exchange.',
    formula: 'Count over 24h of those whose receiver is a known exchange address',
  },
  hash_rate: {
    name: 'Hash rate',
    unit: 'H/s',
    meaning: 'How much computing secures Bitcoin.',
    formula: 'Estimated from difficulty and the blocks found: difficulty × 2³² ÷ seconds per block',
  },
  difficulty: {
    name: 'Difficulty',
    unit: 'ratio',
    meaning: 'How hard it is to find a Bitcoin block, adjusted every 2,016 blocks.',
    formula: 'As the network sets it',
  },
  network_health: {
    name: 'Network health',
    unit: 'word',
    meaning: 'Hash rate today against its own last 30 days.',
    formula: 'strong from 3% above the mean of 30 days, weak more than 10% below it, else normal',
  },
  'addresses.btc.active': {
    name: 'Active addresses',
    unit: 'addresses a day',
    meaning: 'Bitcoin addresses that sent or received in a day.',
    formula: 'As the source counts them, once a day',
  },
  'addresses.btc.new': {
    name: 'New addresses',
    unit: 'addresses a day',
    meaning: 'Bitcoin addresses seen for the first time.',
    formula: 'As the source counts them, once a day',
  },
  'addresses.btc.returning': {
    name: 'Returning addresses',
    unit: 'addresses a day',
    meaning: 'Active addresses that had been seen before.',
    formula: 'active − new',
  },
};
