import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { route } from '#server/platform/route.ts';
import { serve } from '#server/platform/serve.ts';

import {
  type AdvancedMetrics,
  type DerivativesReply,
  getAdvancedMetrics,
  getCorrelation,
  getDerivatives,
  getMarketSentiment,
  getMetricHistory,
  getOnchain,
  type OnchainReply,
  type SentimentReading,
} from '../contract.ts';
import { readCorrelation } from './service/correlation.ts';
import { metricHistory } from './service/history.ts';
import type { Metrics } from './service.ts';

type Models = {
  advancedMetrics: ReadModel<AdvancedMetrics>;
  marketSentiment: ReadModel<SentimentReading>;
  derivatives: ReadModel<DerivativesReply>;
  onchain: ReadModel<OnchainReply>;
};

export function metricsRoutes(app: FastifyInstance, { ctx }: Metrics, models: Models): void {
  serve(app, getAdvancedMetrics, models.advancedMetrics);
  serve(app, getMarketSentiment, models.marketSentiment);
  serve(app, getDerivatives, models.derivatives);
  serve(app, getOnchain, models.onchain);
  route(app, getMetricHistory, ({ params, query }) => metricHistory(ctx, params.metric, Number(query.days)));
  route(app, getCorrelation, ({ query }) => readCorrelation(ctx, Number(query.days)));
}
