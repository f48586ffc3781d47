import type { FastifyInstance } from 'fastify';

import type { Cards } from './service.ts';

export function cardsRoutes(_app: FastifyInstance, _cards: Cards): void {}
