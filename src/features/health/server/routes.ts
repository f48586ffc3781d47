import type { FastifyInstance } from 'fastify';

import { route } from '#server/platform/route.ts';

import { getHealth, type Health } from '../contract.ts';

export function healthRoutes(app: FastifyInstance, read: () => Promise<Health>): void {
  route(app, getHealth, read);
}
