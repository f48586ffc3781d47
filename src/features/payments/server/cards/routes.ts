import type { FastifyInstance } from 'fastify';
import {
  cancelSubscription,
  openPortal,
  resumeSubscription,
  subscribeByCard,
} from '#features/payments/contract/cards.ts';
import { route } from '#kernel/route.ts';
import { subscribe } from './service/checkout.ts';
import { handleWebhook, verify } from './service/handle-webhook.ts';
import * as manage from './service/manage.ts';
import type { Cards } from './service.ts';

const LARGEST_EVENT = 1024 * 1024;

export function cardsRoutes(app: FastifyInstance, { ctx }: Cards): void {
  route(app, subscribeByCard, async ({ caller, body }) => ({
    success: true as const,
    url: await subscribe(ctx, caller, body),
  }));
  route(app, openPortal, async ({ caller }) => ({ success: true as const, url: await manage.openPortal(ctx, caller) }));
  route(app, cancelSubscription, async ({ caller }) => ({
    success: true as const,
    endsAt: await manage.cancel(ctx, caller),
  }));
  route(app, resumeSubscription, async ({ caller }) => ({
    success: true as const,
    renewsAt: await manage.resume(ctx, caller),
  }));
  // Called by Stripe, so the shape is theirs and the signature covers the raw bytes. Any response but a success makes
  // Stripe retry.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    raw.post('/api/stripe/webhook', { bodyLimit: LARGEST_EVENT }, async ({ headers, body }, reply) => {
      const signature = headers['stripe-signature'];
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const event = await verify(ctx, bytes, typeof signature === 'string' ? signature : '');
      return reply.send({ received: await handleWebhook(ctx, event) });
    });
  });
}
