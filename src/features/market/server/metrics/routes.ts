import type { FastifyInstance } from 'fastify';
import {
  type AdvancedMetrics,
  type DerivativesReply,
  getAdvancedMetrics,
  getDerivatives,
  getMarketSentiment,
  getMetricHistory,
  getOnchain,
  type OnchainReply,
  type SentimentReading,
} from '#features/market/contract/metrics.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
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
}
