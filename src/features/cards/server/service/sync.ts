import { accountTopic } from '#features/auth/contract.ts';
import { lockBilling, paymentFailedMail } from '#features/billing/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';

import { asking, type CardsContext } from '../context.ts';
import { insertEvent, insertNotice, isSeen, type SeenEvent, upsertInvoice } from '../store/invoices.ts';
import { endSubscription, findOwner, upsertSubscription, versionOf } from '../store/subscriptions.ts';
import {
  type InvoiceTruth,
  type Returned,
  readReturned,
  readSubscription,
  type Subject,
  type SubscriptionTruth,
} from '../truth.ts';
import { giveBack } from './give-back.ts';
import { settle } from './settle.ts';

export type Outcome = 'done' | 'duplicate' | 'ignored';

const TRIES = 30;

/**
 * Writes down what Stripe says now of a subscription: an event is a hint, never the truth. Nothing is held while Stripe is asked. A reading
 * counts only when nobody wrote since it began, so that a slow one can never overwrite a newer one, in whichever process.
 */
export async function sync(ctx: CardsContext, subject: Subject, event?: SeenEvent): Promise<Outcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (event && (await isSeen(ctx.db, event.id))) return 'duplicate';
    const version = await versionOf(ctx.db, subject.subscriptionId);
    const sub = await asking(ctx, (stripe) => readSubscription(stripe, subject.subscriptionId));
    if (sub === 'foreign' || sub === 'unknown') return leaveAside(ctx, subject, sub, event);
    const returned = await asking(ctx, (stripe) => readReturned(stripe, subject));
    const outcome = await ctx.db.transaction().execute(async (tx) => {
      await lockBilling(tx, sub.userId);
      if ((await versionOf(tx, sub.id)) !== version) return 'again';
      if (event && !(await insertEvent(tx, event, ctx.now()))) return 'duplicate';
      await write(ctx, tx, sub, returned);
      return 'done';
    });
    if (outcome !== 'again') return outcome;
  }
  throw new AppError('unavailable', 'This subscription changes too often at the moment');
}

async function leaveAside(
  ctx: CardsContext,
  { subscriptionId }: Subject,
  why: 'foreign' | 'unknown',
  event: SeenEvent | undefined,
): Promise<Outcome> {
  if (why === 'unknown') await endSubscription(ctx.db, subscriptionId, ctx.now());
  if (event) await insertEvent(ctx.db, event, ctx.now());
  return 'ignored';
}

async function write(ctx: CardsContext, tx: Db, sub: SubscriptionTruth, returned: Returned | undefined): Promise<void> {
  const owner = await findOwner(tx, sub.userId);
  await upsertSubscription(tx, sub, ctx.now());
  for (const invoice of sub.invoices) {
    await upsertInvoice(tx, sub, invoice);
    if (invoice.status === 'paid' && !invoice.isFree) await settle(ctx, tx, sub, invoice, owner !== undefined);
    if (invoice.isRefused && owner && !owner.isDisabled) await tellRefused(ctx, tx, sub, invoice, owner.email);
  }
  if (returned) await giveBack(ctx, tx, returned, owner !== undefined);
  if (owner) await ctx.live.publishTo(tx, sub.userId, accountTopic, { changed: ['payments'] });
}

/** One mail for each invoice, however often the card is tried. */
async function tellRefused(ctx: CardsContext, tx: Db, sub: SubscriptionTruth, invoice: InvoiceTruth, to: string) {
  if (!(await insertNotice(tx, `card-refused:${invoice.id}`, sub.userId, ctx.now()))) return;
  const link = `${ctx.publicUrl()}/app/profile?tab=subscription`;
  const { due: units, nextTry } = invoice;
  await ctx.mail.post(tx, await paymentFailedMail({ to, plan: sub.plan, units, at: ctx.now(), nextTry, link }));
}
