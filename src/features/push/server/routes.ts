import type { FastifyInstance } from 'fastify';

import { originOf } from '#features/auth/server/service.ts';
import { route } from '#server/platform/route.ts';

import { getVapidPublicKey, listPushBrowsers, subscribePush, testPush, unsubscribePush } from '../contract.ts';
import type { PushContext } from './context.ts';
import { sendTest, subscribe } from './service.ts';
import { dropBrowser, listBrowsers } from './store.ts';

const done = { success: true as const };

export function pushRoutes(app: FastifyInstance, ctx: PushContext): void {
  route(app, getVapidPublicKey, async () => ({ publicKey: await ctx.vapid.publicKey() }));
  route(app, listPushBrowsers, async ({ caller }) => ({ browsers: await listBrowsers(ctx.db, caller.userId) }));
  route(app, subscribePush, async ({ caller, body, from }) => {
    await subscribe(ctx, caller, body, originOf(from));
    return done;
  });
  route(app, unsubscribePush, async ({ caller, body }) => {
    await dropBrowser(ctx.db, caller.userId, body.endpoint);
    return done;
  });
  route(app, testPush, async ({ caller, body }) => ({ ...done, browsers: await sendTest(ctx, caller, body) }));
}
