import type { FastifyInstance } from 'fastify';

import type { ApiKeys } from './service.ts';

export function apiKeysRoutes(_app: FastifyInstance, _keys: ApiKeys): void {}
