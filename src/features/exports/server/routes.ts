import type { FastifyInstance } from 'fastify';

import { schedulesRoutes } from './schedules-routes.ts';
import type { Exports } from './service.ts';

export function exportsRoutes(app: FastifyInstance, exports: Exports): void {
  schedulesRoutes(app, exports);
}
