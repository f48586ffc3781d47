import { UnreadableSecret } from '#kernel/secrets.ts';
import { BRAND } from '#shared/brand.ts';

import type { WebhooksContext } from '../context.ts';
import { bodyOf, type Message } from '../sending/message.ts';
import { type Posted, post } from '../sending/post.ts';
import { signatureOf } from '../sending/sign.ts';
import type { WebhookRow } from '../store/webhooks.ts';

type Opened = { url: URL; secrets: string[] };

/** Address and secrets that sign now, newest first; undefined when another key has sealed them. */
export function openRow({ secrets, now }: WebhooksContext, row: WebhookRow): Opened | undefined {
  try {
    const isOldGood = row.old_secret_until !== null && Date.parse(row.old_secret_until) > now().getTime();
    return {
      url: new URL(secrets.open(row.url)),
      secrets: [row.secret, ...(row.old_secret && isOldGood ? [row.old_secret] : [])].map((each) => secrets.open(each)),
    };
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined;
    throw error;
  }
}

/** Tells one webhook, and says how it went. */
export async function callWebhook(
  ctx: WebhooksContext,
  row: WebhookRow,
  message: Message,
  signal: AbortSignal,
): Promise<Posted> {
  const opened = openRow(ctx, row);
  if (!opened) {
    // A process that does not have the new key: one that has it is asked next.
    if (ctx.secrets.isLeftBehind()) return { state: 'later', status: null, ms: 0, note: 'The secret key was changed' };
    return { state: 'failed', status: null, ms: 0, note: 'The URL can no longer be decrypted. Enter it again' };
  }
  const body = bodyOf(row.format, message);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `${BRAND.name}-Webhooks/1.0`,
    'meridian-delivery': message.id,
    ...(row.format === 'generic' ? { 'meridian-signature': signatureOf(opened.secrets, ctx.now(), body) } : {}),
  };
  return post(ctx, { url: opened.url, body, headers, signal });
}
