import { getUser } from '#features/accounts/server/auth/service.ts';
import type { Db } from '#kernel/db.ts';
import { UnreadableSecretError } from '#kernel/secrets.ts';
import { BRAND } from '#shared/brand.ts';

import type { WebhooksContext } from '../context.ts';
import { webhookOffMail } from '../mails/webhook-off.ts';
import { createSignature, type Message, messageBody } from '../sending/message.ts';
import { post, type WebhookResponse } from '../sending/post.ts';
import { disableWebhook, insertAttempt, recordOutcome, type WebhookRow } from '../store.ts';

type Opened = { url: URL; secrets: string[] };

/** URL and active signing secrets, newest first; undefined when they were encrypted with another key. */
export function openRow({ secrets, now }: WebhooksContext, row: WebhookRow): Opened | undefined {
  try {
    const isOldGood = row.old_secret_until !== null && Date.parse(row.old_secret_until) > now().getTime();
    return {
      url: new URL(secrets.open(row.url)),
      secrets: [row.secret, ...(row.old_secret && isOldGood ? [row.old_secret] : [])].map((each) => secrets.open(each)),
    };
  } catch (error) {
    if (error instanceof UnreadableSecretError) return undefined;
    throw error;
  }
}

/** Calls one webhook and returns the outcome. */
export async function callWebhook(
  ctx: WebhooksContext,
  row: WebhookRow,
  message: Message,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const opened = openRow(ctx, row);
  if (!opened) {
    // This process does not have the new key yet: another one will take over.
    if (ctx.secrets.isOutdated()) return { state: 'later', status: null, ms: 0, note: 'The secret key was changed' };
    return { state: 'failed', status: null, ms: 0, note: 'The URL can no longer be decrypted. Enter it again' };
  }
  const body = messageBody(row.format, message);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `${BRAND.name}-Webhooks/1.0`,
    'meridian-delivery': message.id,
    ...(row.format === 'generic' ? { 'meridian-signature': createSignature(opened.secrets, ctx.now(), body) } : {}),
  };
  return post(ctx, { url: opened.url, body, headers, signal });
}

const MAX_FAILURES = 50;
const MIN_FAILING_DAYS = 3;
const DAY_MS = 86_400_000;

type CallResult = { deliveryId: number | null; kind: string };

/**
 * Records the outcome of a call. An endpoint that is gone, or has failed for days, is disabled and its owner is
 * notified.
 */
export async function record(
  ctx: WebhooksContext,
  row: WebhookRow,
  told: CallResult,
  posted: WebhookResponse,
): Promise<void> {
  const at = ctx.now();
  const { state, status, ms, note } = posted;
  const { deliveryId: delivery_id, kind } = told;
  await ctx.db.transaction().execute(async (tx) => {
    const call = { webhook_id: row.id, delivery_id, kind, at: at.toISOString(), state, status, ms, note };
    await insertAttempt(tx, call);
    // A failed test does not count towards disabling the webhook.
    if (delivery_id === null && state !== 'sent') return;
    const outcome = await recordOutcome(tx, row, { at, state, note }, state !== 'sent');
    const reason = outcome && disableReason(posted, outcome, at);
    if (reason && (await disableWebhook(tx, row.id, at, reason))) await notifyOwner(ctx, tx, row, reason);
  });
}

type Kept = Pick<WebhookRow, 'failures' | 'failing_since'>;

function disableReason({ state }: WebhookResponse, { failures, failing_since }: Kept, at: Date): string | null {
  if (state === 'dropped') return 'The endpoint responded 410 Gone';
  if (failures < MAX_FAILURES || failing_since === null) return null;
  if (at.getTime() - Date.parse(failing_since) < MIN_FAILING_DAYS * DAY_MS) return null;
  return `${failures} consecutive calls failed over at least ${MIN_FAILING_DAYS} days`;
}

async function notifyOwner(ctx: WebhooksContext, tx: Db, row: WebhookRow, reason: string): Promise<void> {
  const { email } = await getUser(tx, row.user_id);
  const link = `${ctx.publicUrl()}/app/profile?tab=notifications`;
  const { name, host } = row;
  await ctx.mail.enqueue(tx, await webhookOffMail({ to: email, name, host, reason, at: ctx.now(), link }));
}
