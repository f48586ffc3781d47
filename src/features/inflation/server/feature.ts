import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationSentiment,
  inflationTopic,
  latestInflation,
} from '#features/inflation/contract.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';

import { inflationJobs } from './jobs.ts';
import { inflationRoutes } from './routes.ts';
import { createInflation, type Inflation } from './service.ts';
import { INFLATION_SOURCES } from './sources.ts';

type Service = { inflation: Inflation };

export const inflation = feature({
  name: 'inflation',
  create: (parts: FeatureContext & Parameters<typeof createInflation>[0]): Service => ({
    inflation: createInflation(parts),
  }),
  topics: [inflationTopic],
  sources: () => INFLATION_SOURCES,
  readModels: ({ json }) => ({
    inflationLatest: json('inflation', latestInflation, '/api/inflation/latest'),
    inflationForecasts: json('inflation forecasts', getInflationForecasts.reply, '/api/inflation/forecasts'),
    inflationExpectations: json(
      'inflation expectations',
      getInflationExpectations.reply,
      '/api/inflation/expectations',
    ),
    inflationSentiment: json('inflation sentiment', getInflationSentiment.reply, '/api/inflation/sentiment'),
  }),
  routes: (app, parts: Service & { models: Parameters<typeof inflationRoutes>[2] }) =>
    inflationRoutes(app, parts.inflation, parts.models),
  jobs: (parts: Service) => inflationJobs(parts.inflation),
});
