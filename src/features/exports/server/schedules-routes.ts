import type { FastifyInstance } from 'fastify';

import type { Exports } from './service.ts';

export function schedulesRoutes(_app: FastifyInstance, _exports: Exports): void {}
