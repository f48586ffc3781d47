import type { FastifyInstance } from 'fastify';

import type { ReadModel } from '#server/platform/read-model.ts';
import { serve } from '#server/platform/serve.ts';

import { getLayer1Data, type Layer1Data } from '../contract.ts';

export function layer1Routes(app: FastifyInstance, model: ReadModel<Layer1Data>): void {
  serve(app, getLayer1Data, model);
}
