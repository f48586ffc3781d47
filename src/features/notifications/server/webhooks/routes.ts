import type { FastifyInstance } from 'fastify';

import { originOf } from '#features/accounts/server/auth/service.ts';
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
import { attemptsOf, tryOut } from './service/try.ts';
import * as own from './service/webhooks.ts';

export function webhooksRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  const ctx = openWebhooks(deps);
  route(app, listWebhooks, async ({ caller }) => ({ webhooks: await own.list(ctx, caller) }));
  route(app, addWebhook, ({ caller, body, from }) => own.add(ctx, caller, body, originOf(from)));
  route(app, changeWebhook, ({ caller, params, body, from }) =>
    own.change(ctx, caller, Number(params.id), body, originOf(from)),
  );
  route(app, renewSecret, ({ caller, params, from }) => own.renew(ctx, caller, Number(params.id), originOf(from)));
  route(app, removeWebhook, async ({ caller, params, from }) => {
    await own.remove(ctx, caller, Number(params.id), originOf(from));
    return { success: true as const };
  });
  route(app, testWebhook, ({ caller, params }) => tryOut(ctx, caller, Number(params.id)));
  route(app, listAttempts, async ({ caller, params }) => ({
    attempts: await attemptsOf(ctx, caller, Number(params.id)),
  }));
}
