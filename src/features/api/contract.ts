import { z } from 'zod/mini';

import { alert } from '#features/alerts/contract.ts';
import { aiAnalysis, predictionSet } from '#features/analysis/contract.ts';
import { getMatrix, getRisk, getSummary } from '#features/analytics/contract.ts';
import { subscriptionStatus } from '#features/dashboard/contract.ts';
import { event, upcomingCounts } from '#features/events/contract.ts';
import { getHistory } from '#features/history/contract.ts';
import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  latestInflation,
} from '#features/inflation/contract.ts';
import { layer1Data } from '#features/layer1/contract.ts';
import {
  cryptoPrice,
  getCoin,
  listCandles,
  marketTotals,
  sourceHealth,
  sourceQuote,
  sparklines,
} from '#features/market/contract.ts';
import { advancedMetrics } from '#features/metrics/contract.ts';
import { narrative } from '#features/narratives/contract.ts';
import { backtest, getCalls, recordedCall, trackCell } from '#features/predictions/contract.ts';
import { sourceDetail } from '#features/sources/contract.ts';
import { preview, threshold, thresholdInput } from '#features/thresholds/contract.ts';
import { apiScope, endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

export const LONGEST_FIELDS = 2000;
export const LONGEST_CURSOR = 300;

/** Names of fields with dots between them, and commas between the names. What tells the source and age of a field comes with it. */
const fields = z.optional(
  z
    .string('The fields are given once, with commas between them')
    .check(
      z.minLength(1, 'Name at least one field'),
      z.maxLength(LONGEST_FIELDS, `The fields have at most ${LONGEST_FIELDS} characters`),
    ),
);
const moment = z.optional(z.iso.datetime('A moment is an ISO time such as 2026-11-20T12:00:00Z'));
const format = z.optional(z.enum(['json', 'csv'], 'A format is json or csv'));
const cursor = z.optional(
  z.string('A cursor is given once').check(z.maxLength(LONGEST_CURSOR, 'The cursor is none of this list')),
);
const limit = (most: number, usual: number) => {
  const words = `A limit is a whole number from 1 to ${most}`;
  return z._default(z.coerce.number(words).check(z.int(words), z.minimum(1, words), z.maximum(most, words)), usual);
};

const plain = z.object({ fields });
const atMoment = z.object({ fields, asOf: moment });
/** One page of a list. */
const page = (most: number, usual: number) => z.object({ limit: limit(most, usual), cursor, fields, format });
const pageAt = (most: number, usual: number) => z.extend(page(most, usual), { asOf: moment });

/** The `cursor` of the page below; null at the end. */
const nextCursor = z.nullable(z.string());
const timestamp = z.iso.datetime();
/** Set when the answer rebuilds an earlier moment from stored observations. */
const asOf = z.optional(z.iso.datetime());

/** Calls of the public API are `public` to sessions: the key decides, by `scope`; `access` says the plan where Pro is not enough. */
export const readMarketData = endpoint({
  method: 'GET',
  path: '/api/v1/market-data',
  access: 'public',
  scope: 'market',
  query: atMoment,
  reply: z.object({
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
});

export const readCryptoPrices = endpoint({
  method: 'GET',
  path: '/api/v1/crypto-prices',
  access: 'public',
  scope: 'market',
  query: pageAt(500, 500),
  reply: z.object({ timestamp, dataMode, prices: z.array(cryptoPrice), totals: marketTotals, nextCursor, asOf }),
});

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
    /** Seven days of closes in USD, oldest first; null without them. */
    sparkline: z.nullable(sparklines.shape.series.def.valueType),
  }),
});

export const readCandles = endpoint({
  method: 'GET',
  path: '/api/v1/candles',
  access: 'public',
  scope: 'market',
  query: z.extend(listCandles.query, page(5000, 1000).shape),
  reply: z.extend(listCandles.reply, { dataMode, nextCursor }),
});

export const readAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/analysis',
  access: 'public',
  scope: 'analysis',
  query: atMoment,
  reply: z.object({
    timestamp,
    dataMode,
    /** Null before the first analysis. */
    aiAnalysis: z.nullable(aiAnalysis),
    asOf,
  }),
});

export const readPredictions = endpoint({
  method: 'GET',
  path: '/api/v1/predictions',
  access: 'public',
  scope: 'analysis',
  query: plain,
  reply: z.extend(predictionSet, { dataMode }),
});

/** At an earlier moment without curves, assets and pools: they are not kept. */
const cell = z.extend(trackCell, {
  calibration: z.optional(trackCell.shape.calibration),
  assets: z.optional(trackCell.shape.assets),
});

export const readTrackRecord = endpoint({
  method: 'GET',
  path: '/api/v1/track-record',
  access: 'public',
  scope: 'analysis',
  query: atMoment,
  reply: z.extend(backtest, {
    dataMode,
    /** Whether each of the newest 40 calls was a hit, newest first. */
    recent_hits: z.array(z.boolean()),
    headline: z.nullable(cell),
    cells: z.array(cell),
    pools: z.optional(backtest.shape.pools),
    asOf,
  }),
});

/** Newest first. */
export const readTrackRecordCalls = endpoint({
  method: 'GET',
  path: '/api/v1/track-record/calls',
  access: 'public',
  scope: 'analysis',
  query: z.extend(z.omit(getCalls.query, { before: true }), page(100, 25).shape),
  reply: z.object({ timestamp, dataMode, calls: z.array(recordedCall), nextCursor }),
});

/** Future events, then those of the last 7 days. */
export const readEvents = endpoint({
  method: 'GET',
  path: '/api/v1/events',
  access: 'public',
  scope: 'calendar',
  query: page(500, 500),
  reply: z.object({ timestamp, dataMode, events: z.array(event), upcomingCounts, nextCursor }),
});

export const readInflation = endpoint({
  method: 'GET',
  path: '/api/v1/inflation',
  access: 'public',
  scope: 'calendar',
  query: atMoment,
  reply: z.extend(latestInflation, { dataMode, asOf }),
});

/** Releases of the last `days` (7) days, newest first; with `asOf` those the card showed then. */
export const readInflationReleases = endpoint({
  method: 'GET',
  path: '/api/v1/inflation/releases',
  access: 'public',
  scope: 'calendar',
  query: z.extend(pageAt(500, 100), getInflationReleases.query.shape),
  reply: z.extend(getInflationReleases.reply, { dataMode, nextCursor, asOf }),
});

export const readInflationForecasts = endpoint({
  method: 'GET',
  path: '/api/v1/inflation/forecasts',
  access: 'public',
  scope: 'calendar',
  query: atMoment,
  reply: z.extend(getInflationForecasts.reply, { dataMode, asOf }),
});

export const readInflationExpectations = endpoint({
  method: 'GET',
  path: '/api/v1/inflation/expectations',
  access: 'public',
  scope: 'calendar',
  query: atMoment,
  reply: z.extend(getInflationExpectations.reply, { dataMode, asOf }),
});

export const readInflationSentiment = endpoint({
  method: 'GET',
  path: '/api/v1/inflation/sentiment',
  access: 'public',
  scope: 'calendar',
  query: atMoment,
  reply: z.extend(getInflationSentiment.reply, { dataMode, asOf }),
});

/** Newest first: what was raised for everyone and for the owner of the key. */
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

export const readSources = endpoint({
  method: 'GET',
  path: '/api/v1/sources',
  access: 'public',
  scope: 'market',
  query: page(500, 100),
  reply: z.object({ timestamp, dataMode, sources: z.array(sourceDetail), nextCursor }),
});

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
  query: z.extend(getMatrix.query, { fields }),
  reply: z.extend(getMatrix.reply, { dataMode }),
});

/** Whose key it is, by plan, and what it may do. */
export const readAccount = endpoint({
  method: 'GET',
  path: '/api/v1/account',
  access: 'public',
  scope: 'market',
  query: plain,
  reply: z.object({ subscriptionStatus, scopes: z.array(apiScope) }),
});

/** Server-sent events: the names of topics with commas between them; without it all of the market. */
export const readStream = endpoint({
  method: 'GET',
  path: '/api/v1/stream',
  access: 'public',
  scope: 'market',
  query: z.object({
    topics: z.optional(
      z.string('The topics are given once, with commas between them').check(z.maxLength(200, 'These are no topics')),
    ),
  }),
  reply: z.string(),
});

/** The OpenAPI 3.1 document of all these calls. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  reply: z.record(z.string(), z.unknown()),
});
