import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { dateTime } from '#shared/format.ts';

import { asking, type CardsContext, checkOpen, isMissing } from '../context.ts';
import { findCustomer, findLive, type SubscriptionRow } from '../store/subscriptions.ts';
import { cancelImmediately, isSuperseded, prepaidUntil, setCancel } from './clean-up.ts';
import { sync } from './sync.ts';

const NOTHING = 'This account has no card subscription.';

/** The Stripe page for managing card and invoices. */
export async function openPortal(ctx: CardsContext, { userId }: Caller): Promise<string> {
  checkOpen(ctx.config);
  const customer = await findCustomer(ctx.db, userId);
  if (!customer) throw new AppError('conflict', 'Nothing to manage yet: no plan was paid by card.');
  const page = { customer, return_url: `${ctx.publicUrl()}/app/profile?tab=subscription` };
  try {
    return (await asking(ctx, (stripe) => stripe.billingPortal.sessions.create(page))).url;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AppError('conflict', 'The card service no longer recognizes this account.', { cause: error });
  }
}

/** Reads the current state from Stripe, so that changes just made on its pages count. */
async function getLiveSubscriptions(ctx: CardsContext, userId: number): Promise<SubscriptionRow[]> {
  checkOpen(ctx.config);
  for (const { id } of await findLive(ctx.db, userId)) await sync(ctx, { subscriptionId: id });
  const live = await findLive(ctx.db, userId);
  if (live.length === 0) throw new AppError('conflict', NOTHING);
  return live;
}

const periodEnd = (live: readonly SubscriptionRow[], isCancelled: boolean): string | null =>
  live
    .filter((sub) => sub.status === 'active' && sub.cancel_at_period_end === isCancelled)
    .map((sub) => sub.period_end)
    .reduce((latest, end) => (end !== null && (latest === null || end > latest) ? end : latest), null);

/** Stops further charges; the plan remains until the end of the paid period. */
export async function cancel(ctx: CardsContext, { userId }: Caller): Promise<string | null> {
  for (const sub of await getLiveSubscriptions(ctx, userId)) {
    // A subscription that has not started, or whose card was declined, has no paid period to run out.
    if (sub.status !== 'active') await cancelImmediately(ctx, sub.id);
    else if (!sub.cancel_at_period_end) await setCancel(ctx, sub.id, true);
  }
  return periodEnd(await findLive(ctx.db, userId), true);
}

/** Revokes the cancellation, together with a change to Pro scheduled for the end of the period. */
export async function resume(ctx: CardsContext, { userId }: Caller): Promise<string | null> {
  const live = await getLiveSubscriptions(ctx, userId);
  const cancelled = live.findLast((sub) => sub.status === 'active' && sub.cancel_at_period_end);
  if (!cancelled) {
    const renewsAt = periodEnd(live, false);
    if (renewsAt) return renewsAt;
    throw new AppError('conflict', 'No canceled subscription to resume.');
  }
  const prepaid = await prepaidUntil(ctx.db, userId);
  if (prepaid && isSuperseded(cancelled, prepaid))
    throw new AppError(
      'conflict',
      `Premium+ is paid until ${dateTime(prepaid.getTime())}, so your card would be charged for months of Pro that cannot start yet. Choose Pro when Premium+ is about to end.`,
    );
  for (const sub of live)
    if (sub.id !== cancelled.id && sub.status === 'trialing') await cancelImmediately(ctx, sub.id);
  await setCancel(ctx, cancelled.id, false);
  return periodEnd(await findLive(ctx.db, userId), false);
}
