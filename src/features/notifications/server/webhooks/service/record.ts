import { getUser } from '#features/accounts/server/auth/service.ts';
import type { Db } from '#kernel/db.ts';

import type { WebhooksContext } from '../context.ts';
import { webhookOffMail } from '../mails/webhook-off.ts';
import type { Posted } from '../sending/post.ts';
import { insertAttempt } from '../store/attempts.ts';
import { noteOutcome, switchOff, type WebhookRow } from '../store/webhooks.ts';

const MOST_FAILURES = 50;
const LEAST_DAYS = 3;
const DAY_MS = 86_400_000;

type Told = { deliveryId: number | null; kind: string };

/** Keeps how a call ended. An address that is gone, or has failed for days, is called no more, and its owner is told. */
export async function record(ctx: WebhooksContext, row: WebhookRow, told: Told, posted: Posted): Promise<void> {
  const at = ctx.now();
  const { state, status, ms, note } = posted;
  const { deliveryId: delivery_id, kind } = told;
  await ctx.db.transaction().execute(async (tx) => {
    const call = { webhook_id: row.id, delivery_id, kind, at: at.toISOString(), state, status, ms, note };
    await insertAttempt(tx, call);
    // A test that fails is no sign of a webhook that is given up.
    if (delivery_id === null && state !== 'sent') return;
    const kept = await noteOutcome(tx, row, { at, state, note }, state !== 'sent');
    const reason = kept && reasonToEnd(posted, kept, at);
    if (reason && (await switchOff(tx, row.id, at, reason))) await tellOwner(ctx, tx, row, reason);
  });
}

type Kept = Pick<WebhookRow, 'failures' | 'failing_since'>;

function reasonToEnd({ state }: Posted, { failures, failing_since }: Kept, at: Date): string | null {
  if (state === 'dropped') return 'The endpoint responded 410 Gone';
  if (failures < MOST_FAILURES || failing_since === null) return null;
  if (at.getTime() - Date.parse(failing_since) < LEAST_DAYS * DAY_MS) return null;
  return `${failures} consecutive calls failed over at least ${LEAST_DAYS} days`;
}

async function tellOwner(ctx: WebhooksContext, tx: Db, row: WebhookRow, reason: string): Promise<void> {
  const { email } = await getUser(tx, row.user_id);
  const link = `${ctx.publicUrl()}/app/profile?tab=notifications`;
  const { name, host } = row;
  await ctx.mail.post(tx, await webhookOffMail({ to: email, name, host, reason, at: ctx.now(), link }));
}
