import type Stripe from 'stripe';

import { AppError } from '#kernel/errors.ts';

import { asking, type CardsContext, checkOpen, webhookSecrets } from '../context.ts';
import { closeSession, insertEvent, isSeen } from '../store/invoices.ts';
import { findSubscriptionUser } from '../store/subscriptions.ts';
import { readSubject } from '../stripe-snapshot.ts';
import { scheduleCleanUp } from './clean-up.ts';
import { type Outcome, sync } from './sync.ts';

const TOLERANCE_SECONDS = 300;

/** The event in a signed body; 400 for forged, changed, stale or empty bodies. */
export async function verify(ctx: CardsContext, raw: Buffer, signature: string): Promise<Stripe.Event> {
  checkOpen(ctx.config);
  const stripe = await ctx.stripe();
  for (const secret of webhookSecrets(ctx.config))
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
  const subject = await asking(ctx, (stripe) => readSubject(stripe, event));
  if (!subject) {
    await insertEvent(ctx.db, seen, ctx.now());
    return 'ignored';
  }
  const outcome = await sync(ctx, subject, seen);
  if (outcome === 'done') await cleanUpOwner(ctx, subject.subscriptionId);
  return outcome;
}

async function cleanUpOwner(ctx: CardsContext, subscriptionId: string): Promise<void> {
  const userId = await findSubscriptionUser(ctx.db, subscriptionId);
  if (userId !== undefined) await scheduleCleanUp(ctx, userId);
}
