import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import { type Dashboard, getDashboard } from '../contract.ts';

export function dashboardRoutes(app: FastifyInstance, model: ReadModel<Dashboard>): void {
  serve(app, getDashboard, model);
}
