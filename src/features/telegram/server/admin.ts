import type { FastifyInstance } from 'fastify';

import type { AuthContext } from '#features/auth/server/service.ts';
import { route } from '#server/platform/route.ts';

import {
  cancelBroadcast,
  getBotAudience,
  getBotState,
  getBotWebhook,
  listBotChats,
  listBotCommands,
  listBroadcasts,
  registerBotWebhook,
  sendBroadcast,
  testBroadcast,
} from '../contract.ts';
import * as broadcasts from './broadcasts.ts';
import * as overseeing from './overseeing.ts';
import type { Telegram } from './service.ts';
import { sendTest } from './test-message.ts';

/** The bot in the hands of an administrator. */
export function telegramAdminRoutes(app: FastifyInstance, { ctx, webhookSecret }: Telegram, auth: AuthContext): void {
  route(app, getBotState, async () => ({
    bot: await overseeing.readState(ctx),
    lastHour: await overseeing.readLastHour(ctx),
  }));
  route(app, getBotWebhook, () => overseeing.readWebhook(ctx));
  route(app, registerBotWebhook, ({ caller }) => overseeing.registerWebhook(ctx, webhookSecret ?? '', caller));
  route(app, listBotChats, ({ query }) => overseeing.listChats(ctx, query));
  route(app, listBotCommands, () => overseeing.listCommands(ctx));
  route(app, getBotAudience, () => broadcasts.readAudience(ctx));
  route(app, testBroadcast, async ({ caller, body }) => {
    await sendTest(ctx, caller, body.text);
    return { success: true as const };
  });
  route(app, sendBroadcast, ({ caller, body }) => broadcasts.sendBroadcast({ ...ctx, auth }, caller, body));
  route(app, listBroadcasts, ({ query }) => broadcasts.listBroadcasts(ctx, query.before));
  route(app, cancelBroadcast, ({ caller, params }) => broadcasts.cancelBroadcast(ctx, caller, params.id));
}
