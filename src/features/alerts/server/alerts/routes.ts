import type { FastifyInstance } from 'fastify';
import { acknowledgeAlert, countAlerts, listAlerts } from '#features/alerts/contract/alerts.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import { type Alerts, readAlerts } from './service.ts';
import { acknowledge, readCounts } from './store.ts';

export function alertsRoutes(app: FastifyInstance, { ctx }: Alerts): void {
  route(app, listAlerts, async ({ caller, query }) => ({ alerts: await readAlerts(ctx, caller.userId, query) }));
  route(app, countAlerts, ({ caller, query }) => readCounts(ctx.db, caller.userId, query.seen));
  route(app, acknowledgeAlert, async ({ caller, params }) => {
    const found = await acknowledge(ctx.db, caller.userId, params.id, ctx.now());
    if (!found) throw new AppError('not_found', 'Alert not found');
    return { id: params.id, acknowledged: true as const };
  });
}
