import { asking, type CardsContext, present } from '../context.ts';
import { findCheckout } from '../store/checkouts.ts';
import { findLive, findOwner, type SubscriptionRow } from '../store/subscriptions.ts';
import { sync } from './sync.ts';

/** Ends a subscription now: nothing is charged any more, and nothing is paid back for what is left of it. */
export async function endNow(ctx: CardsContext, id: string): Promise<void> {
  await asking(ctx, (stripe) => present(stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false })));
  await sync(ctx, { subscriptionId: id });
}

export async function setCancel(ctx: CardsContext, id: string, cancel: boolean): Promise<void> {
  await asking(ctx, (stripe) => present(stripe.subscriptions.update(id, { cancel_at_period_end: cancel })));
  await sync(ctx, { subscriptionId: id });
}

const isPaying = ({ status }: SubscriptionRow) => status === 'active';

/**
 * Of two subscriptions the one that was chosen last stands: Premium+ ends Pro at once, Pro lets Premium+ run to the end of its period. Whoever
 * has left is charged no more, nor is one whose first payment did not cover its price. Does nothing where that is so already.
 */
export async function tidy(ctx: CardsContext, userId: number): Promise<void> {
  const rows = await findLive(ctx.db, userId);
  const isGone = (await findOwner(ctx.db, userId)) === undefined;
  const short: SubscriptionRow[] = [];
  for (const row of rows)
    if (row.checkout_id && (await findCheckout(ctx.db, row.checkout_id))?.state === 'short') short.push(row);
  for (const sub of isGone ? rows : short) await endNow(ctx, sub.id);
  if (isGone) return;
  const live = rows.filter((row) => !short.includes(row));
  for (const [i, sub] of live.entries()) {
    const later = live.slice(i + 1);
    if (sub.plan === 'pro' && later.some((each) => each.plan === 'premium' && isPaying(each)))
      await endNow(ctx, sub.id);
    if (sub.plan === 'premium' && !sub.cancel_at_period_end && later.some((each) => each.plan === 'pro'))
      await setCancel(ctx, sub.id, true);
  }
}

/** The same where its failure must not undo what has been done; the next run of the job tries again. */
export async function tidyLater(ctx: CardsContext, userId: number): Promise<void> {
  await tidy(ctx, userId).catch((error: unknown) =>
    ctx.report('cards', 'system', 'A card subscription could not be ended', error),
  );
}
