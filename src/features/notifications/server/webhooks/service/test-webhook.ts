import { randomBytes } from 'node:crypto';

import { countAttempt } from '#features/accounts/server/auth/service.ts';
import type { Attempt, Result } from '#features/notifications/contract/webhooks.ts';
import type { Notice } from '#features/notifications/server/notifications/channel.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import type { WebhooksContext } from '../context.ts';
import { newestAttempts } from '../store.ts';
import { callWebhook, record } from './call.ts';
import { getRow } from './webhooks.ts';

const TESTS_PER_MINUTE = 10;
const MAX_SHOWN = 200;

const testNotice = (at: string): Notice => ({
  kind: 'TEST',
  category: 'product',
  severity: 'low',
  title: `Test from ${BRAND.name}`,
  body: 'This webhook works. Alerts arrive in the same format.',
  path: '/app/profile?tab=notifications',
  tag: 'test',
  asset: null,
  metric: null,
  value: null,
  at,
  source: null,
  eventDate: null,
});

/** Sends a test now and records it in the webhook's log. */
export async function sendTest(ctx: WebhooksContext, caller: Caller, id: number): Promise<Result> {
  const row = await getRow(ctx, caller, id);
  const at = ctx.now();
  const { hits, resetsAt } = await countAttempt(ctx.db, `webhook-test:${caller.userId}`, 60, at);
  if (hits > TESTS_PER_MINUTE) {
    const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - at.getTime()) / 1000));
    throw new AppError('rate_limited', `Limit reached: ${TESTS_PER_MINUTE} tests per minute. Try again in a moment.`, {
      retryAfterSeconds,
    });
  }
  const notice = testNotice(at.toISOString());
  const message = {
    id: `test_${randomBytes(9).toString('base64url')}`,
    createdAt: notice.at,
    notice,
    url: ctx.publicUrl() + notice.path,
    dataMode: ctx.mode,
  };
  const posted = await callWebhook(ctx, row, message, new AbortController().signal);
  await record(ctx, row, { deliveryId: null, kind: notice.kind }, posted);
  const { state, status, ms, note } = posted;
  return { state, status, ms, note };
}

export async function readAttempts(ctx: WebhooksContext, caller: Caller, id: number): Promise<Attempt[]> {
  const row = await getRow(ctx, caller, id);
  return newestAttempts(ctx.db, row.id, MAX_SHOWN);
}
