import type { FastifyInstance } from 'fastify';
import { getLayer1Data, type Layer1Data } from '#features/market/contract/layer1.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { serve } from '#kernel/serve.ts';

export function layer1Routes(app: FastifyInstance, model: ReadModel<Layer1Data>): void {
  serve(app, getLayer1Data, model);
}
