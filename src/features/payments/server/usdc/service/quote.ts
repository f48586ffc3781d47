import { randomInt } from 'node:crypto';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { readPlanStatus } from '#features/accounts/server/subscriptions/service.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import {
  COMING_SOON,
  creditBalance,
  findPrice,
  firstMonthPrice,
  hasPaid,
  type PaidPlan,
  type Period,
  prorationCredit,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Units } from '#shared/money.ts';

import type { UsdcContext } from '../context.ts';
import { TOLERANCE } from '../status.ts';
import { listAmountsSince, lockAmounts, type StoredPayment } from '../store/payments.ts';

export type Quote = { price: Units; creditUsed: Units; proration: Units; due: Units };

const min = (a: Units, b: Units): Units => (a < b ? a : b);

/** First-month discount for an account that has never paid. Refuses terms that are not on sale. */
export function pricedFor(
  { config }: Pick<UsdcContext, 'config'>,
  plan: PaidPlan,
  months: number,
  periods: readonly Period[],
): Units {
  const price = findPrice(config, plan, months);
  if (price === undefined) {
    const sold = config.PREPAID_DISCOUNTS.map((term) => term.months);
    throw new AppError('bad_request', `${months} months is not available. Choose one of ${sold.join(', ')}.`);
  }
  const isFirst = months === 1 && config.FIRST_MONTH_DISCOUNT > 0 && !hasPaid(periods);
  return isFirst ? firstMonthPrice(config, plan) : price;
}

/** Whether an offer has a first-month price although the account has since paid for a plan. */
export const isPastFirst = (
  { config }: Pick<UsdcContext, 'config'>,
  { plan, months, price }: Pick<StoredPayment, 'plan' | 'months' | 'price'>,
  periods: readonly Period[],
): boolean =>
  months === 1 && config.FIRST_MONTH_DISCOUNT > 0 && price === firstMonthPrice(config, plan) && hasPaid(periods);

/** Price of a plan for this account and the amount due after unused Pro and the balance. */
export function createQuote(
  { price, plan, periods }: { price: Units; plan: PaidPlan; periods: readonly Period[] },
  credit: Units,
  at: Date,
): Quote {
  const proration = plan === 'premium' ? min(prorationCredit(periods, at.getTime()), price) : 0n;
  const creditUsed = min(credit, price - proration);
  const left = price - proration - creditUsed;
  // An amount within the tolerance would not be collected later, so it is not charged now.
  return { price, proration, creditUsed, due: left <= TOLERANCE ? 0n : left };
}

export const readBalance = (db: Db, userId: number): Promise<Units> => creditBalance(db, userId);

const ROOM = 10_000;
/** An amount is not reused while its money may still be in transit. */
const KEPT_MS = 24 * 3_600_000;

export const quotedSince = (now: Date): Date => new Date(now.getTime() - KEPT_MS);

/**
 * An amount no other payment of the network has, at most 9,999 micro-dollars higher. Held until the transaction ends.
 */
export async function uniqueAmount(tx: Db, network: Network, due: Units, now: Date): Promise<Units> {
  await lockAmounts(tx, network);
  const taken = await listAmountsSince(tx, network, quotedSince(now));
  const first = randomInt(ROOM);
  for (let i = 0; i < ROOM; i += 1) {
    const amount = due + BigInt((first + i) % ROOM);
    if (!taken.has(amount)) return amount;
  }
  throw new AppError('unavailable', 'Too many open payments for this amount. Please try again later.');
}

/** Null when USDC is available on this network, otherwise the reason shown to users. */
export function disabledReason({ config, rails }: UsdcContext, network: Network): string | null {
  if (!config.CRYPTO_PAYMENTS) return 'USDC payments are turned off.';
  return rails[network].closed;
}

export function rejectClosed(ctx: UsdcContext, network: Network): void {
  if (ctx.config.LAUNCH_COMING_SOON) throw new AppError('unavailable', COMING_SOON);
  const closed = disabledReason(ctx, network);
  if (closed !== null) throw new AppError('unavailable', closed);
}

/**
 * A renewing card has to be cancelled first: prepaid months would pile up behind its charges. A declined card blocks
 * nothing.
 */
export async function rejectRenewed({ cardOf }: UsdcContext, userId: number): Promise<void> {
  const card = await cardOf(userId);
  if (card && !card.cancelled && !card.pastDue)
    throw new AppError(
      'conflict',
      `${PLAN_NAMES[card.plan]} renews by card, so you would pay twice. Choose Cancel Subscription in your profile first: you keep the paid period, and your USDC payment extends it.`,
    );
}

/** Only a plan that has ended or is about to can be renewed, and only the same plan. */
export async function rejectRenewal(
  db: Db,
  { userId, plan, periods, now }: { userId: number; plan: 'pro' | 'premium'; periods: readonly Period[]; now: Date },
): Promise<void> {
  const standing = await readPlanStatus(db, userId, now);
  if (standing.status === 'none') throw new AppError('conflict', 'No plan to renew. Choose one on the plans page.');
  if (!standing.needsRenewal) throw new AppError('conflict', 'Your plan does not need renewing yet.');
  const last = periods.toSorted((a, b) => b.cut - a.cut)[0];
  if (last && last.plan !== plan)
    throw new AppError('bad_request', 'You can only renew the plan you had. Choose a different one on the plans page.');
}
