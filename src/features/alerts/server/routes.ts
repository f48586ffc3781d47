import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { route } from '#server/platform/route.ts';

import { acknowledgeAlert, listAlerts } from '../contract.ts';
import { type Alerts, readAlerts } from './service.ts';
import { acknowledge } from './store.ts';

export function alertsRoutes(app: FastifyInstance, { ctx }: Alerts): void {
  route(app, listAlerts, async ({ caller, query }) => ({ alerts: await readAlerts(ctx, caller.userId, query) }));
  route(app, acknowledgeAlert, async ({ caller, params }) => {
    const found = await acknowledge(ctx.db, caller.userId, params.id, ctx.now());
    if (!found) throw new AppError('not_found', 'There is no such alert');
    return { id: params.id, acknowledged: true as const };
  });
}
