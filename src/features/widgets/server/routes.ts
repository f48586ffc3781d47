import type { FastifyInstance } from 'fastify';

import type { ApiDeps } from '#features/api/server/service.ts';

export function widgetsRoutes(_app: FastifyInstance, _deps: ApiDeps): void {}
