import type { FastifyInstance } from 'fastify';
import {
  getDelivery,
  getDeliveryLatency,
  getPreferences,
  listDeliveries,
  listFailedDeliveries,
  listReminders,
  retryDelivery,
  savePreferences,
} from '#features/notifications/contract/notifications.ts';
import { route } from '#kernel/route.ts';
import * as log from './service/log.ts';
import * as preferences from './service/preferences.ts';
import type { Notifications } from './service.ts';
import { readReminders } from './store/log.ts';
import { readPreferences } from './store/preferences.ts';

/** Days before an event at which the calendar shows its reminder as sent. */
const SHOWN_WINDOW = 3;

export function notificationsRoutes(app: FastifyInstance, { ctx, latency }: Notifications): void {
  route(app, getPreferences, async ({ caller }) => ({ preferences: await readPreferences(ctx.db, caller.userId) }));
  route(app, savePreferences, async ({ caller, body }) => ({
    preferences: await preferences.savePreferences(ctx, caller.userId, body),
  }));
  route(app, listDeliveries, async ({ caller, query }) => ({
    deliveries: await log.listDeliveries(ctx, caller.userId, query),
  }));
  route(app, listReminders, async ({ caller: { userId } }) => {
    const { eventNotifications: on } = await readPreferences(ctx.db, userId);
    return { on, sent: await readReminders(ctx.db, userId, SHOWN_WINDOW) };
  });
  route(app, getDeliveryLatency, latency);
  route(app, listFailedDeliveries, ({ query }) => log.listFailed(ctx, query.channel));
  route(app, getDelivery, ({ params }) => log.getDelivery(ctx, params.id));
  route(app, retryDelivery, async ({ caller, params }) => {
    await log.retryDelivery(ctx, caller.userId, params.id);
    return { id: params.id, state: 'waiting' as const };
  });
}
