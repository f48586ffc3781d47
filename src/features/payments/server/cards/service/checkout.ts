import { randomUUID } from 'node:crypto';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { getUser } from '#features/accounts/server/auth/service.ts';
import {
  COMING_SOON,
  creditBalance,
  findPrice,
  firstMonthPrice,
  hasPaid,
  lockBilling,
  type PaidPlan,
  prepaidTerms,
  prorationCredit,
  readPeriods,
  rejectQueued,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { centsToUnits, type Units, unitsToCents } from '#shared/money.ts';

import { asking, type CardsContext, checkOpen, present } from '../context.ts';
import { type CheckoutRow, closeCheckout, findOpenCheckout, insertCheckout, setSession } from '../store/invoices.ts';
import { findLive, type SubscriptionRow } from '../store/subscriptions.ts';
import { idIn } from '../stripe-snapshot.ts';
import { openSession } from './session.ts';
import { sync } from './sync.ts';

/** The terms of a checkout. Micro-dollars in whole cents, except for the proration. */
type Terms = {
  plan: PaidPlan;
  months: number;
  /** Per period. */
  regular: Units;
  /** First period, before credit. */
  price: Units;
  /** Part of the balance and of unused Pro applied to the first period. */
  creditUsed: Units;
  proration: Units;
  startsAt: Date | null;
};

const CENT = 10_000n;
/** Stripe's minimum charge. */
const LEAST_CHARGE = 50n * CENT;
/** Stripe requires a subscription to wait at least two days; the checkout itself takes some time. */
const LEAST_WAIT_MS = 50 * 3_600_000;

const inCents = (units: Units) => centsToUnits(unitsToCents(units));

/** Rounded down to cents, leaving either nothing or at least Stripe's minimum charge to pay. */
function creditFor(price: Units, there: Units): Units {
  const most = ((there < price ? there : price) / CENT) * CENT;
  const left = price - most;
  if (left === 0n || left >= LEAST_CHARGE) return most;
  return price > LEAST_CHARGE ? price - LEAST_CHARGE : 0n;
}

/** The terms of a plan for an account, quoted at a given moment. */
async function termsFor(ctx: CardsContext, db: Db, userId: number, plan: PaidPlan, months: number, at: Date) {
  const whole = findPrice(ctx.config, plan, months);
  if (whole === undefined) {
    const sold = prepaidTerms(ctx.config).map((term) => term.months);
    throw new AppError('bad_request', `Plans can be paid for ${sold.join(', ')} months`);
  }
  const periods = await readPeriods(db, userId);
  const ends = periods.filter((each) => each.plan === 'premium' && each.cut > each.start).map(({ cut }) => cut);
  const premiumEnd = Math.max(0, ...ends);
  const waits = plan === 'pro' && premiumEnd - at.getTime() >= LEAST_WAIT_MS;
  const regular = inCents(whole);
  const isFirst = months === 1 && !waits && ctx.config.FIRST_MONTH_DISCOUNT > 0 && !hasPaid(periods);
  const price = isFirst ? inCents(firstMonthPrice(ctx.config, plan)) : regular;
  const proration = plan === 'premium' ? prorationCredit(periods, at.getTime()) : 0n;
  const credit = waits ? 0n : proration + (await creditBalance(db, userId));
  const startsAt = waits ? new Date(premiumEnd) : null;
  const terms: Terms = { plan, months, regular, price, creditUsed: creditFor(price, credit), proration, startsAt };
  return terms;
}

/** Whether an open checkout has the same terms as a fresh quote for its moment. */
const isSame = (row: CheckoutRow, terms: Terms): boolean =>
  row.plan === terms.plan &&
  row.months === terms.months &&
  BigInt(row.regular) === terms.regular &&
  BigInt(row.price) === terms.price &&
  BigInt(row.credit_used) === terms.creditUsed &&
  (row.starts_at ? Date.parse(row.starts_at) : null) === (terms.startsAt?.getTime() ?? null);

const OPEN_MS = 60 * 60_000;
/** A checkout with less time left is not offered again. */
const LEAST_LEFT_MS = 10 * 60_000;
const TRIES = 4;

type CheckoutRequest = { planId: PaidPlan; months: number };

/**
 * Returns the checkout URL for a plan. While an earlier checkout of the account is open and unchanged it is reused,
 * across clicks, tabs and processes; otherwise the earlier one is closed at Stripe before another is opened.
 */
export async function subscribe(ctx: CardsContext, caller: Caller | null, wish: CheckoutRequest): Promise<string> {
  if (!caller) throw new AppError('unauthenticated', 'Please sign in to subscribe to a plan.');
  if (ctx.config.LAUNCH_COMING_SOON) throw new AppError('bad_request', COMING_SOON);
  checkOpen(ctx.config);
  if (caller.plan === 'admin')
    throw new AppError('conflict', 'Administrators already have every feature. There is nothing to buy.');
  // Picks up changes made at Stripe moments ago.
  const renewed = await findRenewed(ctx.db, caller.userId, wish.planId);
  if (renewed) await sync(ctx, { subscriptionId: renewed.id });
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { row, isStale } = await ctx.db.transaction().execute((tx) => choose(ctx, tx, caller.userId, wish));
    if (isStale) await discardCheckout(ctx, row);
    const url = isStale ? undefined : await lead(ctx, row);
    if (url) return url;
  }
  throw new AppError('unavailable', 'Couldn’t open the checkout. Please try again.');
}

const findRenewed = async (db: Db, userId: number, plan: PaidPlan) =>
  (await findLive(db, userId)).find((sub) => sub.plan === plan && !sub.cancel_at_period_end);

function renewalReason({ plan, status }: SubscriptionRow): string {
  const name = PLAN_NAMES[plan];
  if (status === 'past_due' || status === 'unpaid')
    return `Your card was declined for ${name}. Update it under Manage Subscription in your profile and ${name} continues once it is charged, or cancel the subscription there and subscribe again.`;
  return `${name} is already renewed by card. You can change or cancel it under Manage Subscription.`;
}

async function choose(ctx: CardsContext, tx: Db, userId: number, { planId, months }: CheckoutRequest) {
  await lockBilling(tx, userId);
  const renewed = await findRenewed(tx, userId, planId);
  if (renewed) throw new AppError('conflict', renewalReason(renewed));
  const now = ctx.now();
  rejectQueued(planId, await readPeriods(tx, userId), now);
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

/** Undefined when the checkout is over and another may be opened. */
async function lead(ctx: CardsContext, row: CheckoutRow): Promise<string | undefined> {
  const { session_id: known } = row;
  const session = known
    ? await asking(ctx, (stripe) => present(stripe.checkout.sessions.retrieve(known)))
    : await openSession(ctx, row, await getUser(ctx.db, row.user_id));
  if (session?.status === 'open' && session.url) {
    if (!known) await setSession(ctx.db, row.id, session.id, session.url);
    return session.url;
  }
  await completeCheckout(ctx, row, idIn(session?.subscription));
  return undefined;
}

/** A payment is recorded before anything else is sold. */
async function completeCheckout(
  ctx: CardsContext,
  row: CheckoutRow,
  subscriptionId: string | undefined,
): Promise<void> {
  if (subscriptionId) await sync(ctx, { subscriptionId });
  await closeCheckout(ctx.db, row.id);
}

async function discardCheckout(ctx: CardsContext, row: CheckoutRow): Promise<void> {
  const { session_id: known } = row;
  // A checkout without a session id may still be open: the process may have stopped before the id was stored.
  const id = known ?? (await openSession(ctx, row, await getUser(ctx.db, row.user_id)).catch(() => undefined))?.id;
  if (!id) return closeCheckout(ctx.db, row.id);
  const session = await asking(ctx, (stripe) => present(stripe.checkout.sessions.retrieve(id)));
  if (session?.status === 'open') await asking(ctx, (stripe) => stripe.checkout.sessions.expire(id));
  await completeCheckout(ctx, row, idIn(session?.subscription));
}
