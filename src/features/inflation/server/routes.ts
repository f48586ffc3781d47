import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { route } from '#server/platform/route.ts';
import { serve } from '#server/platform/serve.ts';

import {
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  getLatestInflation,
} from '../contract.ts';
import type { Inflation } from './service.ts';

const DAYS = 7;

export type InflationModels = {
  inflationLatest: ReadModel<ReturnType<Inflation['latest']>>;
  inflationForecasts: ReadModel<ReturnType<Inflation['forecasts']>>;
  inflationExpectations: ReadModel<ReturnType<Inflation['expectations']>>;
  inflationSentiment: ReadModel<ReturnType<Inflation['sentiment']>>;
};

export function inflationRoutes(app: FastifyInstance, inflation: Inflation, models: InflationModels): void {
  serve(app, getLatestInflation, models.inflationLatest);
  serve(app, getInflationForecasts, models.inflationForecasts);
  serve(app, getInflationExpectations, models.inflationExpectations);
  serve(app, getInflationSentiment, models.inflationSentiment);
  route(app, getInflationReleases, ({ query }) => inflation.releases(Number(query.days ?? DAYS)));
}
