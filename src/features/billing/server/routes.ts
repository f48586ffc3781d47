import type { FastifyInstance } from 'fastify';

import type { BillingContext } from './context.ts';

export function billingRoutes(_app: FastifyInstance, _ctx: BillingContext): void {}
