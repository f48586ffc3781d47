import type Stripe from 'stripe';

import { AppError } from '#kernel/errors.ts';

import { asking, type CardsContext, checkOpen, secretsOf } from '../context.ts';
import { closeSession, insertEvent, isSeen } from '../store/invoices.ts';
import { findUserOf } from '../store/subscriptions.ts';
import { subjectOf } from '../stripe-snapshot.ts';
import { type Outcome, sync } from './sync.ts';
import { tidyLater } from './tidy.ts';

const TOLERANCE_SECONDS = 300;

/** The event in a signed body; 400 for forged, changed, stale or empty bodies. */
export async function verify(ctx: CardsContext, raw: Buffer, signature: string): Promise<Stripe.Event> {
  checkOpen(ctx.config);
  const stripe = await ctx.stripe();
  for (const secret of secretsOf(ctx.config))
    try {
      return stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE_SECONDS, undefined, ctx.now().getTime());
    } catch {
      // Signed with another secret, or unsigned.
    }
  throw new AppError('bad_request', 'Invalid webhook signature');
}

/** Processes an event once, independent of arrival order. */
export async function handleWebhook(ctx: CardsContext, event: Stripe.Event): Promise<Outcome> {
  const seen = { id: event.id, type: event.type, createdAt: new Date(event.created * 1000) };
  if (await isSeen(ctx.db, event.id)) return 'duplicate';
  if (event.type === 'checkout.session.expired') await closeSession(ctx.db, event.data.object.id);
  const subject = await asking(ctx, (stripe) => subjectOf(stripe, event));
  if (!subject) {
    await insertEvent(ctx.db, seen, ctx.now());
    return 'ignored';
  }
  const outcome = await sync(ctx, subject, seen);
  if (outcome === 'done') await tidyOwner(ctx, subject.subscriptionId);
  return outcome;
}

async function tidyOwner(ctx: CardsContext, subscriptionId: string): Promise<void> {
  const userId = await findUserOf(ctx.db, subscriptionId);
  if (userId !== undefined) await tidyLater(ctx, userId);
}
