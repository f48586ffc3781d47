import type { FastifyInstance } from 'fastify';

import type { Scheduler } from '#server/platform/scheduler.ts';

import type { AnalyticsContext } from './context.ts';

export function analyticsRoutes(_app: FastifyInstance, _ctx: AnalyticsContext, _scheduler: Scheduler): void {}
