import { layer1Data } from '#features/market/contract/layer1.ts';
import { marketTopic, priceList, pricesTopic, sparklines } from '#features/market/contract/market.ts';
import {
  advancedMetrics,
  derivativesReply,
  onchainReply,
  sentimentReading,
} from '#features/market/contract/metrics.ts';
import { trendingNarratives } from '#features/market/contract/narratives.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import { layer1Routes } from './layer1/routes.ts';
import { marketJobs } from './market/jobs.ts';
import { marketRoutes } from './market/routes.ts';
import { createMarket, type Market } from './market/service.ts';
import { SOURCES } from './market/sources.ts';
import { metricsJobs } from './metrics/jobs.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { createMetrics, type Metrics, type PastMarket } from './metrics/service.ts';
import { METRIC_SOURCES } from './metrics/sources.ts';
import { narrativesRoutes } from './narratives/routes.ts';

type Services = { market: Market; metrics: Metrics };
type Models = Parameters<typeof marketRoutes>[2] &
  Parameters<typeof metricsRoutes>[2] & {
    layer1: Parameters<typeof layer1Routes>[1];
    narratives: Parameters<typeof narrativesRoutes>[1];
  };

export const market = feature({
  name: 'market',
  create(parts: FeatureContext & { openPast?: () => Promise<PastMarket> }): Services {
    const market = createMarket(parts);
    return { market, metrics: createMetrics({ ...parts, market }) };
  },
  topics: [pricesTopic, marketTopic],
  sources: () => [...SOURCES, ...METRIC_SOURCES],
  readModels: ({ json }) => ({
    prices: json('prices', priceList, '/api/prices'),
    sparklines: json('sparklines', sparklines, '/api/prices/sparklines'),
    advancedMetrics: json('advanced metrics', advancedMetrics, '/api/advanced-metrics'),
    marketSentiment: json('market sentiment', sentimentReading, '/api/market-sentiment'),
    derivatives: json('derivatives', derivativesReply, '/api/derivatives'),
    onchain: json('on-chain', onchainReply, '/api/onchain'),
    layer1: json('layer 1', layer1Data, '/api/layer1-data'),
    narratives: json('narratives', trendingNarratives, '/api/trending-narratives'),
  }),
  routes(app, parts: Services & Parameters<typeof marketRoutes>[3] & { models: Models }) {
    marketRoutes(app, parts.market, parts.models, parts);
    metricsRoutes(app, parts.metrics, parts.models);
    layer1Routes(app, parts.models.layer1);
    narrativesRoutes(app, parts.models.narratives);
  },
  jobs: ({ market: { ctx }, metrics, scheduler }: Services & { scheduler: () => Scheduler }) => [
    ...marketJobs(ctx, scheduler),
    ...metricsJobs(metrics.ctx, scheduler),
  ],
});
