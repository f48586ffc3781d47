import { z } from 'zod/mini';

import { chartInterval } from '#features/market/contract/market.ts';
import { correlationPair } from '#features/market/contract/metrics.ts';
import { endpoint } from '#shared/contract.ts';
import { figures } from '#shared/figures.ts';

export const chartType = z.enum(['candlestick', 'bar', 'line', 'area']);
export type ChartType = z.infer<typeof chartType>;

/** By symbol, such as 'BTC'. */
export const asset = z.enum(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']);
export type Asset = z.infer<typeof asset>;

/** Over the tracked assets: USD, percent, and the ratio (average change - 0.02) / volatility. */
export const summary = figures(['totalVolume', 'volatility', 'riskAdjustedReturn', 'avgChange', 'bitcoinDominance'], {
  assetCount: z.int(),
  trend: z.nullable(z.enum(['Bullish', 'Bearish'])),
  volatilityLevel: z.nullable(z.enum(['High', 'Medium', 'Low'])),
});
export type AnalyticsSummary = z.infer<typeof summary>;

export const getSummary = endpoint({
  method: 'GET',
  path: '/api/analytics/summary',
  access: 'premium',
  reply: z.object({ timestamp: z.iso.datetime(), summary }),
});

/** From daily closes, formulas in the glossary: percent per year, ratios, percent below the previous highest close. */
export const riskRow = figures(['annualised_volatility', 'sharpe', 'sortino', 'max_drawdown', 'beta_btc'], {
  asset,
  /** Number of daily returns used. */
  days: z.int(),
});
export type RiskRow = z.infer<typeof riskRow>;

export const getRisk = endpoint({
  method: 'GET',
  path: '/api/analytics/risk',
  access: 'premium',
  query: z.object({ days: z._default(z.enum(['30', '90', '365']), '365') }),
  reply: z.object({ timestamp: z.iso.datetime(), days: z.int(), risk: z.array(riskRow) }),
});

const correlationQuery = z.object({
  days: z._default(z.enum(['30', '90', '365']), '90'),
  assets: z._default(z.enum(['5', '20']), '5'),
});
/** Correlations of 5 or 20 assets, row by row: `pairs[i][j]` of `assets[i]` and `assets[j]`. */
export const matrix = z.object({
  timestamp: z.iso.datetime(),
  days: z.int(),
  assets: z.array(z.string()),
  pairs: z.array(z.array(correlationPair)),
});
export type Matrix = z.infer<typeof matrix>;

/** `correlationData` has the pairs of the tracked assets, as `BTC_ETH`, in both orders. */
export const getCorrelation = endpoint({
  method: 'GET',
  path: '/api/correlation',
  access: 'premium',
  query: correlationQuery,
  reply: z.extend(matrix, { correlationData: z.record(z.string(), correlationPair) }),
});

/** Returns the report as a file. */
export const exportAnalytics = endpoint({
  method: 'POST',
  path: '/api/analytics/export',
  access: 'premium',
  body: z.strictObject({ timeframe: chartInterval, asset, chartType, format: z.enum(['pdf', 'csv', 'json']) }),
  reply: z.never(),
});

/** Starts the jobs behind the page's data; `jobs` lists which were started and which were already running. */
export const collectAdvancedData = endpoint({
  method: 'POST',
  path: '/api/collect-advanced-data',
  access: 'admin',
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    jobs: z.array(z.object({ name: z.string(), about: z.string(), state: z.enum(['started', 'running']) })),
  }),
});
