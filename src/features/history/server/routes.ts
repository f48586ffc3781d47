import type { FastifyInstance } from 'fastify';

import type { HistoryContext } from './context.ts';

export function historyRoutes(_app: FastifyInstance, _ctx: HistoryContext): void {}
