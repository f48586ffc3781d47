import { readPeriods } from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';

import { asking, type CardsContext, present } from '../context.ts';
import { findCheckout } from '../store/invoices.ts';
import { findLive, findOwner, findPaidOtherwise, type SubscriptionRow } from '../store/subscriptions.ts';
import { sync } from './sync.ts';

/** Ends a subscription immediately, without further charges or a refund for the remaining time. */
export async function cancelImmediately(ctx: CardsContext, id: string): Promise<void> {
  await asking(ctx, (stripe) => present(stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false })));
  await sync(ctx, { subscriptionId: id });
}

export async function setCancel(ctx: CardsContext, id: string, cancel: boolean): Promise<void> {
  await asking(ctx, (stripe) => present(stripe.subscriptions.update(id, { cancel_at_period_end: cancel })));
  await sync(ctx, { subscriptionId: id });
}

const isPaying = ({ status }: SubscriptionRow) => status === 'active';

/** Stripe's timestamps are in seconds. */
const SLACK_MS = 60_000;

/** End of a Premium+ plan paid in USDC; undefined when there is none. */
export async function prepaidUntil(db: Db, userId: number): Promise<Date | undefined> {
  const ends = (await readPeriods(db, userId))
    .filter(({ source, plan, cut, start }) => source.startsWith('wallet:') && plan === 'premium' && cut > start)
    .map(({ cut }) => cut);
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined;
}

/** Whether a card would be charged for Pro months queued behind a paid Premium+. */
export const isSuperseded = ({ plan, period_end: end }: SubscriptionRow, prepaid: Date | undefined): boolean =>
  plan === 'pro' && prepaid !== undefined && end !== null && prepaid.getTime() - Date.parse(end) > SLACK_MS;

/** A plan paid in USDC supersedes a declined card subscription, and a Pro subscription while Premium+ runs. */
async function yieldToPrepaid(ctx: CardsContext, userId: number, live: readonly SubscriptionRow[]): Promise<void> {
  const replaced = new Set(await findPaidOtherwise(ctx.db, userId));
  const prepaid = await prepaidUntil(ctx.db, userId);
  for (const sub of live) {
    const waits = isSuperseded(sub, prepaid);
    if (replaced.has(sub.id) || (waits && sub.status === 'trialing')) await cancelImmediately(ctx, sub.id);
    else if (waits && isPaying(sub) && !sub.cancel_at_period_end) await setCancel(ctx, sub.id, true);
  }
}

/**
 * Of two subscriptions the one chosen last wins: Premium+ ends Pro at once, Pro lets Premium+ run to the end of its
 * period; both yield to a plan paid in USDC. Deleted and disabled accounts are not charged again, nor is a subscription
 * whose first payment did not cover its price. Idempotent.
 */
export async function cleanUp(ctx: CardsContext, userId: number): Promise<void> {
  const rows = await findLive(ctx.db, userId);
  const owner = await findOwner(ctx.db, userId);
  const isGone = owner === undefined;
  const short: SubscriptionRow[] = [];
  for (const row of rows)
    if (row.checkout_id && (await findCheckout(ctx.db, row.checkout_id))?.state === 'short') short.push(row);
  for (const sub of isGone ? rows : short) await cancelImmediately(ctx, sub.id);
  if (!owner) return;
  const live = rows.filter((row) => !short.includes(row));
  if (owner.isDisabled) {
    for (const sub of live) if (!sub.cancel_at_period_end) await setCancel(ctx, sub.id, true);
    return;
  }
  for (const [i, sub] of live.entries()) {
    const later = live.slice(i + 1);
    if (sub.plan === 'pro' && later.some((each) => each.plan === 'premium' && isPaying(each)))
      await cancelImmediately(ctx, sub.id);
    if (sub.plan === 'premium' && !sub.cancel_at_period_end && later.some((each) => each.plan === 'pro'))
      await setCancel(ctx, sub.id, true);
  }
  await yieldToPrepaid(ctx, userId, await findLive(ctx.db, userId));
}

/** `tidy` where a failure must not undo completed work; the next run of the job retries. */
export async function scheduleCleanUp(ctx: CardsContext, userId: number): Promise<void> {
  await cleanUp(ctx, userId).catch((error: unknown) =>
    ctx.report('cards', 'api_failure', 'Failed to end a card subscription', error),
  );
}
