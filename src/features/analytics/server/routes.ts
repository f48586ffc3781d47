import type { FastifyInstance } from 'fastify';

import {
  collectAdvancedData,
  exportAnalytics,
  getCorrelation,
  getRisk,
  getSummary,
} from '#features/analytics/contract.ts';
import { resolveBranding } from '#features/exports/server/exports/service/branding.ts';
import { openBackgroundThread } from '#kernel/background-thread.ts';
import { downloadBuffered, route } from '#kernel/route.ts';
import type { Scheduler } from '#kernel/scheduler.ts';

import { type AnalyticsDeps, fromPast } from './context.ts';
import { exportReport } from './service/report.ts';
import { namedPairs, readMatrix, readRisk } from './service/risk.ts';
import { collectNow, readSummary } from './service/summary.ts';

export function analyticsRoutes(app: FastifyInstance, ctx: AnalyticsDeps, scheduler: Scheduler): void {
  const timestamp = () => ctx.now().toISOString();
  route(app, getSummary, () => ({ timestamp: timestamp(), summary: readSummary(ctx) }));
  route(app, getRisk, async ({ query }) => {
    const days = Number(query.days);
    return { timestamp: timestamp(), days, risk: await fromPast(ctx, (past) => readRisk(past, days)) };
  });
  route(app, getCorrelation, async ({ query }) => {
    const matrix = await fromPast(ctx, (past) => readMatrix(past, Number(query.days), Number(query.assets)));
    return { ...matrix, correlationData: namedPairs(matrix) };
  });
  route(app, collectAdvancedData, ({ caller }) => collectNow(ctx, scheduler, caller.userId));

  // Drawing a report would block the event loop for too long.
  const { report } = ctx.market.ctx;
  const thread = openBackgroundThread({
    onError: (error) => report('server', 'system', 'The report thread failed', error),
  });
  app.addHook('onClose', thread.stop);
  downloadBuffered(app, exportAnalytics, async ({ body, caller }) =>
    exportReport(ctx, body, caller, {
      thread,
      requestBackfill: (coinId) => scheduler.send('market.backfill', { coinId }, { key: coinId, priority: 500 }),
      look: await resolveBranding(ctx.db, caller.userId, caller.plan),
    }),
  );
}
