import type { FastifyInstance } from 'fastify';

import { getSummary } from '#features/analytics/contract.ts';
import { route } from '#server/platform/route.ts';
import type { Scheduler } from '#server/platform/scheduler.ts';

import type { AnalyticsContext } from './context.ts';
import { readSummary } from './service/summary.ts';

export function analyticsRoutes(app: FastifyInstance, ctx: AnalyticsContext, _scheduler: Scheduler): void {
  const { now } = ctx;
  route(app, getSummary, () => ({ timestamp: now().toISOString(), summary: readSummary(ctx) }));
}
