import type { FastifyInstance } from 'fastify';

import { checkMoment } from '#features/accounts/server/subscriptions/service.ts';
import {
  getInflationAt,
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  getLatestInflation,
} from '#features/inflation/contract.ts';
import { route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import type { Inflation } from './service.ts';
import type { InflationModels } from './view.ts';

const DAYS = 7;

export function inflationRoutes(app: FastifyInstance, inflation: Inflation, models: InflationModels): void {
  serve(app, getLatestInflation, models.inflationLatest);
  serve(app, getInflationForecasts, models.inflationForecasts);
  serve(app, getInflationExpectations, models.inflationExpectations);
  serve(app, getInflationSentiment, models.inflationSentiment);
  route(app, getInflationAt, ({ query, caller }) => {
    const moment = new Date(query.asOf);
    checkMoment(moment, inflation.ctx.now(), caller?.plan ?? null);
    return inflation.at(moment);
  });
  route(app, getInflationReleases, ({ query }) => inflation.releases(Number(query.days ?? DAYS)));
}
