import { randomUUID } from 'node:crypto';

import { getUser } from '#features/auth/server/service.ts';
import {
  COMING_SOON,
  lockBilling,
  type PaidPlan,
  periodsOfUser,
  refuseQueued,
} from '#features/billing/server/service.ts';
import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';

import { asking, type CardsContext, checkOpen, present } from '../context.ts';
import { type CheckoutRow, closeCheckout, findOpenCheckout, insertCheckout, setSession } from '../store/checkouts.ts';
import { findLive, type SubscriptionRow } from '../store/subscriptions.ts';
import { idIn } from '../truth.ts';
import { openSession } from './session.ts';
import { sync } from './sync.ts';
import { isSame, termsFor } from './terms.ts';

const OPEN_MS = 60 * 60_000;
/** One with less time than this left is not offered again. */
const LEAST_LEFT_MS = 10 * 60_000;
const TRIES = 4;

type Wish = { planId: PaidPlan; months: number };

/**
 * Where to pay for a plan. While an earlier checkout of the account is open and nothing in it has changed, it is the same one, for two clicks,
 * two tabs and two processes alike; otherwise the earlier one is closed at Stripe before another is opened.
 */
export async function subscribe(ctx: CardsContext, caller: Caller | null, wish: Wish): Promise<string> {
  if (!caller) throw new AppError('unauthenticated', 'Please sign in to subscribe to a plan.');
  if (ctx.config.LAUNCH_COMING_SOON) throw new AppError('bad_request', COMING_SOON);
  checkOpen(ctx.config);
  if (caller.plan === 'admin')
    throw new AppError('conflict', 'Administrators have everything that the plans hold: there is nothing to buy.');
  // What was changed at Stripe a moment ago counts.
  const renewed = await findRenewed(ctx.db, caller.userId, wish.planId);
  if (renewed) await sync(ctx, { subscriptionId: renewed.id });
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { row, isStale } = await ctx.db.transaction().execute((tx) => choose(ctx, tx, caller.userId, wish));
    if (isStale) await putAway(ctx, row);
    const url = isStale ? undefined : await lead(ctx, row);
    if (url) return url;
  }
  throw new AppError('unavailable', 'The checkout could not be opened. Please try again.');
}

const findRenewed = async (db: Db, userId: number, plan: PaidPlan) =>
  (await findLive(db, userId)).find((sub) => sub.plan === plan && !sub.cancel_at_period_end);

function whyRenewed({ plan, status }: SubscriptionRow): string {
  const name = PLAN_NAMES[plan];
  if (status === 'past_due' || status === 'unpaid')
    return `Your card was refused for ${name}. Change it under Manage Subscription in your profile, and ${name} goes on as soon as it is charged; or choose Cancel Subscription there first, and pay for it anew.`;
  return `${name} is already renewed by card. You can change or cancel it under Manage Subscription.`;
}

async function choose(ctx: CardsContext, tx: Db, userId: number, { planId, months }: Wish) {
  await lockBilling(tx, userId);
  const renewed = await findRenewed(tx, userId, planId);
  if (renewed) throw new AppError('conflict', whyRenewed(renewed));
  const now = ctx.now();
  refuseQueued(planId, await periodsOfUser(tx, userId), now);
  const open = await findOpenCheckout(tx, userId);
  if (open) {
    const terms = await termsFor(ctx, tx, userId, planId, months, new Date(open.quoted_at));
    const isFresh = Date.parse(open.expires_at) - now.getTime() >= LEAST_LEFT_MS;
    return { row: open, isStale: !isFresh || !isSame(open, terms) };
  }
  const terms = await termsFor(ctx, tx, userId, planId, months, now);
  const row = await insertCheckout(tx, {
    id: randomUUID(),
    user_id: userId,
    plan: planId,
    months,
    regular: Number(terms.regular),
    price: Number(terms.price),
    credit_used: Number(terms.creditUsed),
    proration: Number(terms.proration),
    starts_at: terms.startsAt?.toISOString() ?? null,
    quoted_at: now.toISOString(),
    expires_at: new Date(now.getTime() + OPEN_MS).toISOString(),
    state: 'open',
    session_id: null,
    url: null,
  });
  return { row, isStale: false };
}

/** Undefined when the checkout is over: then another may be opened. */
async function lead(ctx: CardsContext, row: CheckoutRow): Promise<string | undefined> {
  const { session_id: known } = row;
  const session = known
    ? await asking(ctx, (stripe) => present(stripe.checkout.sessions.retrieve(known)))
    : await openSession(ctx, row, await getUser(ctx.db, row.user_id));
  if (session?.status === 'open' && session.url) {
    if (!known) await setSession(ctx.db, row.id, session.id, session.url);
    return session.url;
  }
  await conclude(ctx, row, idIn(session?.subscription));
  return undefined;
}

/** What was paid is written down before anything else is sold. */
async function conclude(ctx: CardsContext, row: CheckoutRow, subscriptionId: string | undefined): Promise<void> {
  if (subscriptionId) await sync(ctx, { subscriptionId });
  await closeCheckout(ctx.db, row.id);
}

async function putAway(ctx: CardsContext, row: CheckoutRow): Promise<void> {
  const { session_id: known } = row;
  // One without a session may be open all the same: its creation may have been cut off before its answer was kept.
  const id = known ?? (await openSession(ctx, row, await getUser(ctx.db, row.user_id)).catch(() => undefined))?.id;
  if (!id) return closeCheckout(ctx.db, row.id);
  const session = await asking(ctx, (stripe) => present(stripe.checkout.sessions.retrieve(id)));
  if (session?.status === 'open') await asking(ctx, (stripe) => stripe.checkout.sessions.expire(id));
  await conclude(ctx, row, idIn(session?.subscription));
}
