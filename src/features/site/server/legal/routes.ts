import type { FastifyInstance } from 'fastify';
import { type About, getAbout } from '#features/site/contract/legal.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { serve } from '#kernel/serve.ts';

export function legalRoutes(app: FastifyInstance, model: ReadModel<About>): void {
  serve(app, getAbout, model);
}
