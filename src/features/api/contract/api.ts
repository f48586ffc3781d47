import { z } from 'zod/mini';

import { alert } from '#features/alerts/contract/alerts.ts';
import { preview, threshold, thresholdInput } from '#features/alerts/contract/thresholds.ts';
import { aiAnalysis, predictionSet } from '#features/analysis/contract/analysis.ts';
import { getCorrelation, getRisk, getSummary, matrix } from '#features/analytics/contract.ts';
import { event, upcomingCounts } from '#features/events/contract.ts';
import { getHistory } from '#features/exports/contract/history.ts';
import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  latestInflation,
} from '#features/inflation/contract.ts';
import { layer1Data } from '#features/market/contract/layer1.ts';
import {
  cryptoPrice,
  getCoin,
  listCandles,
  marketTotals,
  sourceHealth,
  sourceQuote,
  sparklines,
} from '#features/market/contract/market.ts';
import { advancedMetrics } from '#features/market/contract/metrics.ts';
import { narrative } from '#features/market/contract/narratives.ts';
import { sourceDetail } from '#features/operations/contract/sources.ts';
import { brief } from '#features/site/contract/brief.ts';
import { subscriptionStatus } from '#features/site/contract/dashboard.ts';
import { atMoment, fields, page, pageAt, plain } from '#shared/api-queries.ts';
import { type ApiScope, apiScope, endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** The `cursor` of the next page; null at the end. */
export const nextCursor = z.nullable(z.string());
export const timestamp = z.iso.datetime();
/** Set when the response reconstructs a past moment from stored observations. */
export const asOf = z.optional(z.iso.datetime());

/** A read endpoint, for every key with its scope. */
export const read = <
  const P extends `/api/v1/${string}`,
  const S extends ApiScope,
  Q extends z.ZodMiniObject,
  R extends z.ZodMiniType,
>(
  path: P,
  scope: S,
  query: Q,
  reply: R,
) => endpoint({ method: 'GET', path, access: 'public', scope, query, reply });

/**
 * Public API endpoints are `public` to sessions: the key decides, by `scope`; `access` names the plan where Pro is not
 * enough.
 */
export const readMarketData = read(
  '/api/v1/market-data',
  'market',
  atMoment,
  z.object({
    timestamp,
    dataMode,
    lastCollectionTime: z.nullable(z.iso.datetime()),
    nextCollectionTime: z.nullable(z.iso.datetime()),
    totals: marketTotals,
    sources: z.array(sourceHealth),
    advancedMetrics: z.optional(advancedMetrics),
    layer1Data: z.optional(layer1Data),
    trendingNarratives: z.optional(z.array(narrative)),
    asOf,
  }),
);

/** The market in five lines, each clause with its source and age. */
export const readBrief = read('/api/v1/brief', 'market', plain, brief);

export const readCryptoPrices = read(
  '/api/v1/crypto-prices',
  'market',
  pageAt(500, 500),
  z.object({ timestamp, dataMode, prices: z.array(cryptoPrice), totals: marketTotals, nextCursor, asOf }),
);

export const readCryptoPrice = endpoint({
  method: 'GET',
  path: '/api/v1/crypto-prices/:id',
  access: 'public',
  scope: 'market',
  params: getCoin.params,
  query: plain,
  reply: z.object({
    timestamp,
    dataMode,
    coin: cryptoPrice,
    quotes: z.array(sourceQuote),
    /** Seven days of closes in USD, oldest first; null if unavailable. */
    sparkline: z.nullable(sparklines.shape.series.def.valueType),
  }),
});

export const readCandles = read(
  '/api/v1/candles',
  'market',
  z.extend(listCandles.query, page(5000, 1000).shape),
  z.extend(listCandles.reply, { dataMode, nextCursor }),
);

export const readAnalysis = read(
  '/api/v1/analysis',
  'analysis',
  atMoment,
  z.object({
    timestamp,
    dataMode,
    /** Null before the first analysis. */
    aiAnalysis: z.nullable(aiAnalysis),
    asOf,
  }),
);

export const readPredictions = read('/api/v1/predictions', 'analysis', plain, z.extend(predictionSet, { dataMode }));

/** Future events, then those of the last 7 days. */
export const readEvents = read(
  '/api/v1/events',
  'calendar',
  page(500, 500),
  z.object({ timestamp, dataMode, events: z.array(event), upcomingCounts, nextCursor }),
);

export const readInflation = read(
  '/api/v1/inflation',
  'calendar',
  atMoment,
  z.extend(latestInflation, { dataMode, asOf }),
);

/** Releases of the last `days` (7) days, newest first; with `asOf` those shown at that time. */
export const readInflationReleases = read(
  '/api/v1/inflation/releases',
  'calendar',
  z.extend(pageAt(500, 100), getInflationReleases.query.shape),
  z.extend(getInflationReleases.reply, { dataMode, nextCursor, asOf }),
);

export const readInflationForecasts = read(
  '/api/v1/inflation/forecasts',
  'calendar',
  atMoment,
  z.extend(getInflationForecasts.reply, { dataMode, asOf }),
);

export const readInflationExpectations = read(
  '/api/v1/inflation/expectations',
  'calendar',
  atMoment,
  z.extend(getInflationExpectations.reply, { dataMode, asOf }),
);

export const readInflationSentiment = read(
  '/api/v1/inflation/sentiment',
  'calendar',
  atMoment,
  z.extend(getInflationSentiment.reply, { dataMode, asOf }),
);

/** Newest first: market alerts and those of the key's owner. */
export const readAlerts = endpoint({
  method: 'GET',
  path: '/api/v1/alerts',
  access: 'pro',
  scope: 'alerts',
  query: page(100, 20),
  reply: z.object({ timestamp, dataMode, alerts: z.array(alert), nextCursor }),
});

export const readThresholds = endpoint({
  method: 'GET',
  path: '/api/v1/thresholds',
  access: 'pro',
  scope: 'alerts',
  query: page(500, 500),
  reply: z.object({ timestamp, dataMode, thresholds: z.array(threshold), nextCursor }),
});

export const previewRule = endpoint({
  method: 'POST',
  path: '/api/v1/thresholds/preview',
  access: 'pro',
  scope: 'alerts',
  body: thresholdInput,
  reply: z.extend(preview, { dataMode }),
});

export const createRule = endpoint({
  method: 'POST',
  path: '/api/v1/thresholds',
  access: 'pro',
  scope: 'alerts:write',
  body: thresholdInput,
  reply: threshold,
});

/** Newest first. */
export const readHistory = endpoint({
  method: 'GET',
  path: '/api/v1/history/:type',
  access: 'public',
  scope: 'market',
  params: getHistory.params,
  query: z.extend(getHistory.query, { ...page(500, 100).shape }),
  reply: z.extend(getHistory.reply, { dataMode }),
});

export const readSources = read(
  '/api/v1/sources',
  'market',
  page(500, 100),
  z.object({ timestamp, dataMode, sources: z.array(sourceDetail), nextCursor }),
);

export const readAnalyticsSummary = endpoint({
  method: 'GET',
  path: '/api/v1/analytics/summary',
  access: 'premium',
  scope: 'analysis',
  query: plain,
  reply: z.extend(getSummary.reply, { dataMode }),
});

export const readAnalyticsRisk = endpoint({
  method: 'GET',
  path: '/api/v1/analytics/risk',
  access: 'premium',
  scope: 'analysis',
  query: z.extend(getRisk.query, { fields }),
  reply: z.extend(getRisk.reply, { dataMode }),
});

export const readAnalyticsCorrelation = endpoint({
  method: 'GET',
  path: '/api/v1/analytics/correlation',
  access: 'premium',
  scope: 'analysis',
  query: z.extend(getCorrelation.query, { fields }),
  reply: z.extend(matrix, { dataMode }),
});

/** The plan of the key's owner, and the key's permissions. */
export const readAccount = read(
  '/api/v1/account',
  'market',
  plain,
  z.object({ subscriptionStatus, scopes: z.array(apiScope) }),
);

/** Server-sent events: comma-separated topic names; without them all market topics. */
export const readStream = read(
  '/api/v1/stream',
  'market',
  z.object({
    topics: z.optional(
      z.string('must be given once, separated by commas').check(z.maxLength(200, 'must have at most 200 characters')),
    ),
  }),
  z.string(),
);

/** The OpenAPI 3.1 document of all these endpoints. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  reply: z.record(z.string(), z.unknown()),
});
