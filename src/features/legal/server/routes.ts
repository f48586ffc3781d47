import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import { type About, getAbout } from '../contract.ts';

export function legalRoutes(app: FastifyInstance, model: ReadModel<About>): void {
  serve(app, getAbout, model);
}
