import { KEPT_NOTE, newsMail, recipientsOf, refusalOf } from '#features/email/server/service.ts';
import { messageOf } from '#server/platform/errors.ts';

import type { DigestsContext } from './context.ts';
import { digestContent } from './mail.ts';
import { digestWishOf } from './store.ts';
import { valueNow } from './value-now.ts';

export type { DigestsContext } from './context.ts';

/** Takes what was gathered for one person and posts it as one mail, all or nothing. False when nothing was left to tell. */
async function postDigest(ctx: DigestsContext, userId: number): Promise<boolean> {
  const { email, notifications } = ctx;
  return email.db.transaction().execute(async (tx) => {
    const deliveries = await notifications.takeDigest(tx, userId);
    if (deliveries.length === 0) return false;
    const ids = deliveries.map(({ id }) => id);
    const to = (await recipientsOf(email, tx, [userId])).get(userId);
    const refusal = refusalOf(email, to);
    if (refusal || !to) {
      for (const id of ids) await notifications.settle(tx, id, refusal ?? { state: 'dropped', note: '' });
      return false;
    }
    const content = digestContent({
      to,
      every: await digestWishOf(tx, userId),
      deliveries,
      now: email.now(),
      valueNow: (metric, asset) => valueNow(ctx, metric, asset),
      publicUrl: email.publicUrl(),
    });
    await email.mail.post(tx, { ...(await newsMail(email, content)), deliveryIds: ids });
    if (email.mail.delivery === 'outbox')
      for (const id of ids) await notifications.settle(tx, id, { state: 'sent', note: KEPT_NOTE[email.mode] });
    return true;
  });
}

/** Posts every digest that is due; how many mails. One that fails holds up no other, and is due again. */
export async function gatherDigests(ctx: DigestsContext, signal: AbortSignal): Promise<number> {
  const { db, now, report } = ctx.email;
  let posted = 0;
  for (const userId of await ctx.notifications.digestDue(db, now())) {
    if (signal.aborted) break;
    try {
      if (await postDigest(ctx, userId)) posted += 1;
    } catch (error) {
      report('digests', 'system', 'A digest could not be posted', { userId, error: messageOf(error) });
    }
  }
  return posted;
}
