import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { figureMeta, figures } from '#shared/figures.ts';

/** Dominance in percent of the whole market; its change in percentage points. */
const bitcoinDominance = figures(['value', 'change_24h']);
/** USD; change in percent; SSR = BTC market cap ÷ supply of USD-pegged coins. */
const stablecoinMetrics = figures(['totalMarketCap', 'change_24h', 'ssr']);
/** Coins moved to (+) and from (−) exchanges over 24h, in BTC or ETH. */
const exchangeFlow = figures(['netFlow', 'inflow', 'outflow']);
/** Fear and greed 0–100 and its class. */
const marketSentiment = figures(['score'], { interpretation: z.nullable(z.string()) });
/** USD; change in percent. */
const totalMarketCap = figures(['value', 'change_24h']);
export const season = z.enum(['Bitcoin season', 'Neutral', 'Altcoin season']);
/** Percent of the top 50 that outperformed BTC over 90 days. */
const altcoinSeason = figures(['indicator'], { season: z.nullable(season) });

/** Open interest and liquidations in USD; funding in percent per 8h. */
export const derivatives = z.object({
  openInterest: figures(['value'], { metadata: figures(['btc_oi', 'eth_oi']) }),
  fundingRate: figures(['value'], { metadata: figures(['btc_funding', 'eth_funding']) }),
  liquidations: figures(['value'], { metadata: figures(['long_liquidations', 'short_liquidations']) }),
});
export type Derivatives = z.infer<typeof derivatives>;

export const networkHealth = z.enum(['strong', 'normal', 'weak']);
/** Transfers of 1 M USD or more over 24h; hash rate in H/s; addresses per day. */
export const onchain = z.object({
  whaleTransactions: figures(['value'], { metadata: figures(['large_transfers', 'exchange_deposits']) }),
  hashRate: figures(['value'], {
    metadata: figures(['difficulty'], { network_health: z.nullable(networkHealth) }),
  }),
  activeAddresses: figures(['value'], { metadata: figures(['new_addresses', 'returning_addresses']) }),
});
export type Onchain = z.infer<typeof onchain>;

export const advancedMetrics = z.object({
  timestamp: z.iso.datetime(),
  bitcoinDominance,
  stablecoinMetrics,
  exchangeFlows: z.object({ btc: exchangeFlow, eth: exchangeFlow }),
  marketSentiment,
  totalMarketCap,
  altcoinSeason,
  derivatives,
  onchain,
  /** Daily values of the last 30 days, oldest first, by metric; a metric without history is absent. */
  history: z.record(z.string(), z.array(z.number())),
});
export type AdvancedMetrics = z.infer<typeof advancedMetrics>;

export const getAdvancedMetrics = endpoint({
  method: 'GET',
  path: '/api/advanced-metrics',
  access: 'public',
  reply: advancedMetrics,
});

/** `value` is 0–100; `metadata.history` holds daily values, newest first. */
export const sentimentReading = z.object({
  value: z.nullable(z.number()),
  classification: z.nullable(z.string()),
  source: z.nullable(z.string()),
  timestamp: z.nullable(z.iso.datetime()),
  metadata: z.object({
    history: z.array(z.object({ date: z.iso.date(), value: z.number(), classification: z.string() })),
  }),
  meta: z.object({ value: figureMeta }),
});
export type SentimentReading = z.infer<typeof sentimentReading>;

export const getMarketSentiment = endpoint({
  method: 'GET',
  path: '/api/market-sentiment',
  access: 'public',
  reply: sentimentReading,
});

/** One venue's perpetual future on one asset: USD, percent per 8h. */
export const derivativeRow = figures(['open_interest', 'funding_rate', 'volume_24h'], {
  asset: z.string(),
  derivative_type: z.literal('perpetual'),
  source: z.string(),
});
export type DerivativeRow = z.infer<typeof derivativeRow>;

export const derivativesReply = z.object({
  timestamp: z.iso.datetime(),
  derivatives: z.array(derivativeRow),
  totals: derivatives,
});
export type DerivativesReply = z.infer<typeof derivativesReply>;

export const getDerivatives = endpoint({
  method: 'GET',
  path: '/api/derivatives',
  access: 'public',
  reply: derivativesReply,
});

export const onchainRow = z.object({
  blockchain: z.string(),
  metric_type: z.string(),
  value: z.nullable(z.number()),
  source: z.nullable(z.string()),
  timestamp: z.nullable(z.iso.datetime()),
  metadata: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  meta: z.object({ value: figureMeta }),
});
export type OnchainRow = z.infer<typeof onchainRow>;

export const onchainReply = z.object({
  timestamp: z.iso.datetime(),
  onchain: z.array(onchainRow),
  totals: onchain,
});
export type OnchainReply = z.infer<typeof onchainReply>;

export const getOnchain = endpoint({
  method: 'GET',
  path: '/api/onchain',
  access: 'public',
  reply: onchainReply,
});

/** Pearson correlation of daily log returns, −1 to 1. A pair with too little common history is a documented default. */
export const correlationPair = z.object({
  value: z.number(),
  method: z.enum(['measured', 'default']),
  days: z.int(),
  meta: figureMeta,
});
export type CorrelationPair = z.infer<typeof correlationPair>;

export const metricId = z.string().check(z.regex(/^[a-z0-9_.-]{1,80}$/, 'Unknown metric'));

/** The history of one metric from its best source, oldest first. */
export const getMetricHistory = endpoint({
  method: 'GET',
  path: '/api/metrics/:metric/history',
  access: 'public',
  params: z.object({ metric: metricId }),
  query: z.object({ days: z._default(z.enum(['7', '30', '365']), '30') }),
  reply: z.object({
    metric: z.string(),
    source: z.nullable(z.string()),
    /** Stored days, at most as many as requested. */
    historyDays: z.int(),
    points: z.array(z.object({ at: z.iso.datetime(), value: z.number() })),
  }),
});
