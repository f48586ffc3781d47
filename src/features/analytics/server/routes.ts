import type { FastifyInstance } from 'fastify';

import { getMatrix, getRisk, getSummary } from '#features/analytics/contract.ts';
import { route } from '#server/platform/route.ts';
import type { Scheduler } from '#server/platform/scheduler.ts';

import type { AnalyticsContext } from './context.ts';
import { readMatrix } from './service/matrix.ts';
import { readRisk } from './service/risk.ts';
import { readSummary } from './service/summary.ts';

export function analyticsRoutes(app: FastifyInstance, ctx: AnalyticsContext, _scheduler: Scheduler): void {
  const timestamp = () => ctx.now().toISOString();
  route(app, getSummary, () => ({ timestamp: timestamp(), summary: readSummary(ctx) }));
  route(app, getRisk, async ({ query }) => {
    const days = Number(query.days);
    return { timestamp: timestamp(), days, risk: await readRisk(ctx, days) };
  });
  route(app, getMatrix, ({ query }) => readMatrix(ctx, Number(query.days), Number(query.assets)));
}
