import type { FastifyInstance } from 'fastify';

import type { ApiCall } from '#features/api/server/service.ts';
import type { Gate } from '#features/api-keys/server/service.ts';

export function mcpRoutes(_app: FastifyInstance, _gate: Gate, _calls: readonly ApiCall[]): void {}
