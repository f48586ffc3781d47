import { type PredictionSet, predictionSet } from '#features/analysis/contract.ts';
import { type ApiReads, createApiReads } from '#features/api/server/service.ts';
import { dashboard } from '#features/dashboard/contract.ts';
import { createPlanDashboards, type PlanDashboards } from '#features/dashboard/server/service.ts';
import { type Event, getEvents } from '#features/events/contract.ts';
import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationSentiment,
  type InflationExpectations,
  type InflationForecasts,
  type InflationSentimentReply,
  type LatestInflation,
  latestInflation,
} from '#features/inflation/contract.ts';
import { type Layer1Data, layer1Data } from '#features/layer1/contract.ts';
import { type About, about } from '#features/legal/contract.ts';
import { type PriceList, priceList, type Sparklines, sparklines } from '#features/market/contract.ts';
import {
  type AdvancedMetrics,
  advancedMetrics,
  type DerivativesReply,
  derivativesReply,
  type OnchainReply,
  onchainReply,
  type SentimentReading,
  sentimentReading,
} from '#features/metrics/contract.ts';
import { type TrendingNarratives, trendingNarratives } from '#features/narratives/contract.ts';
import { type Backtest, backtest } from '#features/predictions/contract.ts';
import { type Status, status } from '#features/status/contract.ts';

import { sharedHeaders } from './cache-answers.ts';
import type { Encode } from './platform/encode.ts';
import { createReadModel, type ReadModel } from './platform/read-model.ts';
import type { TagHeader } from './platform/shared-cache.ts';
import type { Schema } from './platform/valid-text.ts';

/** The public payloads this process keeps ready to be written. */
export type Models = {
  dashboard: PlanDashboards;
  prices: ReadModel<PriceList>;
  sparklines: ReadModel<Sparklines>;
  advancedMetrics: ReadModel<AdvancedMetrics>;
  marketSentiment: ReadModel<SentimentReading>;
  derivatives: ReadModel<DerivativesReply>;
  onchain: ReadModel<OnchainReply>;
  layer1: ReadModel<Layer1Data>;
  narratives: ReadModel<TrendingNarratives>;
  backtest: ReadModel<Backtest>;
  predictions: ReadModel<PredictionSet>;
  inflationLatest: ReadModel<LatestInflation>;
  inflationForecasts: ReadModel<InflationForecasts>;
  inflationExpectations: ReadModel<InflationExpectations>;
  inflationSentiment: ReadModel<InflationSentimentReply>;
  events: ReadModel<Event[]>;
  about: ReadModel<About>;
  status: ReadModel<Status>;
  statusFeed: ReadModel<string>;
  /** What the public API answers without a query. */
  api: ApiReads;
};

/** `failed` names what a value that breaks its contract is reported as. */
export function createModels(
  now: () => Date,
  encode: Encode,
  failed: (what: string) => (error: unknown) => void,
  tagHeader: TagHeader,
): Models {
  const model = <T>(name: string, schema: Schema, path: `/api/${string}`) =>
    createReadModel<T>({
      name,
      schema,
      encode,
      headers: sharedHeaders(path, tagHeader),
      onInvalid: failed(`The read model ${name}`),
    });
  return {
    dashboard: createPlanDashboards(
      model('dashboard', dashboard, '/api/dashboard'),
      now,
      encode,
      failed('The dashboard of a plan'),
    ),
    prices: model('prices', priceList, '/api/prices'),
    sparklines: model('sparklines', sparklines, '/api/prices/sparklines'),
    advancedMetrics: model('advanced metrics', advancedMetrics, '/api/advanced-metrics'),
    marketSentiment: model('market sentiment', sentimentReading, '/api/market-sentiment'),
    derivatives: model('derivatives', derivativesReply, '/api/derivatives'),
    onchain: model('on-chain', onchainReply, '/api/onchain'),
    layer1: model('layer 1', layer1Data, '/api/layer1-data'),
    narratives: model('narratives', trendingNarratives, '/api/trending-narratives'),
    backtest: model('backtest', backtest, '/api/backtest'),
    predictions: model('predictions', predictionSet, '/api/predictions'),
    inflationLatest: model('inflation', latestInflation, '/api/inflation/latest'),
    inflationForecasts: model('inflation forecasts', getInflationForecasts.reply, '/api/inflation/forecasts'),
    inflationExpectations: model(
      'inflation expectations',
      getInflationExpectations.reply,
      '/api/inflation/expectations',
    ),
    inflationSentiment: model('inflation sentiment', getInflationSentiment.reply, '/api/inflation/sentiment'),
    events: model('events', getEvents.reply, '/api/events'),
    about: model('about', about, '/api/about'),
    status: model('status', status, '/api/status'),
    statusFeed: createReadModel<string>({
      name: 'status feed',
      contentType: 'application/atom+xml; charset=utf-8',
      headers: sharedHeaders('/status.atom', tagHeader),
      encode,
      onInvalid: failed('The feed of the status page'),
    }),
    api: createApiReads(encode, failed('An answer of the public API')),
  };
}
