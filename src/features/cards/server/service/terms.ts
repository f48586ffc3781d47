import {
  creditBalance,
  firstMonthPrice,
  hasPaid,
  type PaidPlan,
  periodsOfUser,
  priceOf,
  prorationAt,
  termsOf,
} from '#features/billing/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { centsOf, type Units, unitsOfCents } from '#shared/money.ts';

import type { CardsContext } from '../context.ts';
import type { CheckoutRow } from '../store/checkouts.ts';

/** What a checkout would be opened for. Micro-dollars in whole cents, but for the proration. */
export type Terms = {
  plan: PaidPlan;
  months: number;
  /** Of every period. */
  regular: Units;
  /** Of the first period, before credit. */
  price: Units;
  /** Of the balance and the rest of Pro, what goes into the first period. */
  creditUsed: Units;
  proration: Units;
  startsAt: Date | null;
};

const CENT = 10_000n;
/** The least that Stripe charges. */
const LEAST_CHARGE = 50n * CENT;
/** Stripe lets a subscription wait for two days or more; the checkout itself takes some time. */
const LEAST_WAIT_MS = 50 * 3_600_000;

const inCents = (units: Units) => unitsOfCents(centsOf(units));

/** Rounded down to cents, and never so much that less than Stripe's least charge is left. */
function creditFor(price: Units, there: Units): Units {
  const most = ((there < price ? there : price) / CENT) * CENT;
  const left = price - most;
  if (left === 0n || left >= LEAST_CHARGE) return most;
  return price > LEAST_CHARGE ? price - LEAST_CHARGE : 0n;
}

/** What a plan costs an account when it is quoted at a moment. */
export async function termsFor(ctx: CardsContext, db: Db, userId: number, plan: PaidPlan, months: number, at: Date) {
  const whole = priceOf(ctx.config, plan, months);
  if (whole === undefined) {
    const sold = termsOf(ctx.config).map((term) => term.months);
    throw new AppError('bad_request', `A plan can be paid for ${sold.join(', ')} months`);
  }
  const periods = await periodsOfUser(db, userId);
  const ends = periods.filter((each) => each.plan === 'premium' && each.cut > each.start).map(({ cut }) => cut);
  const premiumEnd = Math.max(0, ...ends);
  const waits = plan === 'pro' && premiumEnd - at.getTime() >= LEAST_WAIT_MS;
  const regular = inCents(whole);
  const isFirst = months === 1 && !waits && ctx.config.FIRST_MONTH_DISCOUNT > 0 && !hasPaid(periods);
  const price = isFirst ? inCents(firstMonthPrice(ctx.config, plan)) : regular;
  const proration = plan === 'premium' ? prorationAt(periods, at.getTime()) : 0n;
  const there = waits ? 0n : proration + (await creditBalance(db, userId));
  const startsAt = waits ? new Date(premiumEnd) : null;
  const terms: Terms = { plan, months, regular, price, creditUsed: creditFor(price, there), proration, startsAt };
  return terms;
}

/** Whether a checkout that is open asks for what it would ask for if it were quoted again at its moment. */
export const isSame = (row: CheckoutRow, terms: Terms): boolean =>
  row.plan === terms.plan &&
  row.months === terms.months &&
  BigInt(row.regular) === terms.regular &&
  BigInt(row.price) === terms.price &&
  BigInt(row.credit_used) === terms.creditUsed &&
  (row.starts_at ? Date.parse(row.starts_at) : null) === (terms.startsAt?.getTime() ?? null);
