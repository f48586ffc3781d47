import type { FastifyInstance } from 'fastify';

import type { Usdc } from './service.ts';

export function usdcRoutes(_app: FastifyInstance, _usdc: Usdc): void {}
