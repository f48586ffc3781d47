import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { route } from '#server/platform/route.ts';

import { acknowledgeAlert, listAlerts } from '../contract.ts';
import { toRaised } from './raise.ts';
import type { Alerts } from './service.ts';
import { acknowledge, alertsOf } from './store.ts';

export function alertsRoutes(app: FastifyInstance, { ctx }: Alerts): void {
  route(app, listAlerts, async ({ caller, query }) => {
    const { rows } = await alertsOf(caller.userId, query).execute(ctx.db);
    return {
      alerts: rows.map((row) => {
        const raised = toRaised(row);
        const deliveries = row.deliveries.map(({ channel, sent_at }) => ({
          channel,
          sentAt: new Date(sent_at).toISOString(),
        }));
        return { ...raised, receipt: { ...raised.receipt, deliveries }, acknowledged: row.acknowledged };
      }),
    };
  });
  route(app, acknowledgeAlert, async ({ caller, params }) => {
    const found = await acknowledge(ctx.db, caller.userId, params.id, ctx.now());
    if (!found) throw new AppError('not_found', 'There is no such alert');
    return { id: params.id, acknowledged: true as const };
  });
}
