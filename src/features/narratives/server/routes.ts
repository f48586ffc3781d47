import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import { getTrendingNarratives, type TrendingNarratives } from '../contract.ts';

export function narrativesRoutes(app: FastifyInstance, model: ReadModel<TrendingNarratives>): void {
  serve(app, getTrendingNarratives, model);
}
