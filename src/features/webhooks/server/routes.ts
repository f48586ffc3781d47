import type { FastifyInstance } from 'fastify';

import { originOf } from '#features/auth/server/service.ts';
import { route } from '#server/platform/route.ts';

import {
  addWebhook,
  changeWebhook,
  listAttempts,
  listWebhooks,
  removeWebhook,
  renewSecret,
  testWebhook,
} from '../contract.ts';
import { openWebhooks, type WebhooksDeps } from './context.ts';
import * as own from './service/own.ts';
import { attemptsOf, tryOut } from './service/try.ts';

export function webhooksRoutes(app: FastifyInstance, deps: WebhooksDeps): void {
  const ctx = openWebhooks(deps);
  route(app, listWebhooks, async ({ caller }) => ({ webhooks: await own.list(ctx, caller) }));
  route(app, addWebhook, ({ caller, body, from }) => own.add(ctx, caller, body, originOf(from)));
  route(app, changeWebhook, ({ caller, params, body }) => own.change(ctx, caller, Number(params.id), body));
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
