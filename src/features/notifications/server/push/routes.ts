import type { FastifyInstance } from 'fastify';

import { toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  getVapidPublicKey,
  listPushBrowsers,
  readSimulated,
  subscribePush,
  subscribeSimulated,
  testPush,
  unsubscribePush,
} from '#features/notifications/contract/push.ts';
import { route } from '#kernel/route.ts';
import type { PushContext } from './context.ts';
import { sendTest, subscribe } from './service.ts';
import { isSimulated, readMessages, simulate } from './simulated.ts';
import { deleteBrowser, listBrowsers } from './store.ts';

const done = { success: true as const };

export function pushRoutes(app: FastifyInstance, ctx: PushContext): void {
  route(app, getVapidPublicKey, async () => ({ publicKey: await ctx.vapid.publicKey() }));
  route(app, listPushBrowsers, async ({ caller }) => ({
    browsers: await listBrowsers(ctx.db, caller.userId),
    simulated: isSimulated(ctx),
  }));
  route(app, subscribePush, async ({ caller, body, from }) => {
    await subscribe(ctx, caller, body, toOrigin(from));
    return done;
  });
  route(app, unsubscribePush, async ({ caller, body }) => {
    await deleteBrowser(ctx.db, caller.userId, body.endpoint);
    return done;
  });
  route(app, testPush, async ({ caller, body }) => ({ ...done, browsers: await sendTest(ctx, caller, body) }));
  if (!isSimulated(ctx)) return;
  route(app, subscribeSimulated, async ({ caller, from }) => {
    await simulate(ctx, caller, toOrigin(from));
    return done;
  });
  route(app, readSimulated, async ({ caller }) => ({ messages: await readMessages(ctx, caller) }));
}
