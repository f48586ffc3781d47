import type { FastifyInstance } from 'fastify';

import { route } from '#server/platform/route.ts';
import { serve } from '#server/platform/serve.ts';

import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  getLatestInflation,
} from '../contract.ts';
import type { InflationModels } from './publish.ts';
import type { Inflation } from './service.ts';

const DAYS = 7;

export function inflationRoutes(app: FastifyInstance, inflation: Inflation, models: InflationModels): void {
  serve(app, getLatestInflation, models.inflationLatest);
  serve(app, getInflationForecasts, models.inflationForecasts);
  serve(app, getInflationExpectations, models.inflationExpectations);
  serve(app, getInflationSentiment, models.inflationSentiment);
  route(app, getInflationReleases, ({ query }) => inflation.releases(Number(query.days ?? DAYS)));
}
