import type { FastifyInstance } from 'fastify';

import { toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  addWebhook,
  changeWebhook,
  listAttempts,
  listWebhooks,
  removeWebhook,
  renewSecret,
  testWebhook,
} from '#features/notifications/contract/webhooks.ts';
import { route } from '#kernel/route.ts';
import { openWebhooks, type WebhooksDeps } from './context.ts';
import { readAttempts, sendTest } from './service/test-webhook.ts';
import * as own from './service/webhooks.ts';

export function webhooksRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  const ctx = openWebhooks(deps);
  route(app, listWebhooks, async ({ caller }) => ({ webhooks: await own.list(ctx, caller) }));
  route(app, addWebhook, ({ caller, body, from }) => own.add(ctx, caller, body, toOrigin(from)));
  route(app, changeWebhook, ({ caller, params, body, from }) =>
    own.change(ctx, caller, Number(params.id), body, toOrigin(from)),
  );
  route(app, renewSecret, ({ caller, params, from }) => own.renew(ctx, caller, Number(params.id), toOrigin(from)));
  route(app, removeWebhook, async ({ caller, params, from }) => {
    await own.remove(ctx, caller, Number(params.id), toOrigin(from));
    return { success: true as const };
  });
  route(app, testWebhook, ({ caller, params }) => sendTest(ctx, caller, Number(params.id)));
  route(app, listAttempts, async ({ caller, params }) => ({
    attempts: await readAttempts(ctx, caller, Number(params.id)),
  }));
}
