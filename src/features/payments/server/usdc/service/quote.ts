import {
  creditBalance,
  firstMonthPrice,
  hasPaid,
  type PaidPlan,
  type Period,
  priceOf,
  prorationAt,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Units } from '#shared/money.ts';

import type { UsdcContext } from '../context.ts';
import { TOLERANCE } from '../status.ts';
import type { StoredPayment } from '../store/payments.ts';

export type Quote = { price: Units; creditUsed: Units; proration: Units; due: Units };

const least = (a: Units, b: Units): Units => (a < b ? a : b);

/** The first month of an account that never paid may be cheaper. Refuses months that are not sold. */
export function pricedFor(
  { config }: Pick<UsdcContext, 'config'>,
  plan: PaidPlan,
  months: number,
  periods: readonly Period[],
): Units {
  const price = priceOf(config, plan, months);
  if (price === undefined) {
    const sold = config.PREPAID_DISCOUNTS.map((term) => term.months);
    throw new AppError('bad_request', `${months} months is not available. Choose one of ${sold.join(', ')}.`);
  }
  const isFirst = months === 1 && config.FIRST_MONTH_DISCOUNT > 0 && !hasPaid(periods);
  return isFirst ? firstMonthPrice(config, plan) : price;
}

/** Whether an offer asks for the price of a first month though the account has paid for a plan since it was made. */
export const isPastFirst = (
  { config }: Pick<UsdcContext, 'config'>,
  { plan, months, price }: Pick<StoredPayment, 'plan' | 'months' | 'price'>,
  periods: readonly Period[],
): boolean =>
  months === 1 && config.FIRST_MONTH_DISCOUNT > 0 && price === firstMonthPrice(config, plan) && hasPaid(periods);

/** What a plan costs this person, and what is left to pay after the rest of Pro and the balance. */
export function quoteOf(
  { price, plan, periods }: { price: Units; plan: PaidPlan; periods: readonly Period[] },
  credit: Units,
  at: Date,
): Quote {
  const proration = plan === 'premium' ? least(prorationAt(periods, at.getTime()), price) : 0n;
  const creditUsed = least(credit, price - proration);
  const left = price - proration - creditUsed;
  // What nobody would be asked for later is not asked for now.
  return { price, proration, creditUsed, due: left <= TOLERANCE ? 0n : left };
}

export const balanceOf = (db: Db, userId: number): Promise<Units> => creditBalance(db, userId);
