import type { FastifyInstance } from 'fastify';
import { getTrendingNarratives, type TrendingNarratives } from '#features/market/contract/narratives.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { serve } from '#kernel/serve.ts';

export function narrativesRoutes(app: FastifyInstance, model: ReadModel<TrendingNarratives>): void {
  serve(app, getTrendingNarratives, model);
}
