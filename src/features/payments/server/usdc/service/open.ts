import { randomBytes } from 'node:crypto';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { limitPerson } from '#features/accounts/server/auth/service.ts';
import type { Network, Payment } from '#features/payments/contract/usdc.ts';
import {
  lockBilling,
  type PaidPlan,
  type Period,
  periodsOfUser,
  refuseQueued,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';
import type { UsdcContext } from '../context.ts';
import { applyPayment } from '../reconcile/apply.ts';
import { statusOf } from '../status.ts';
import { creditedOf, type Deposit, depositsOfPayments } from '../store/deposits.ts';
import { findSimilar, insertPayment, type StoredPayment, setRoute } from '../store/payments.ts';
import { uniqueAmount } from './amounts.ts';
import { balanceOf, pricedFor, type Quote, quoteOf } from './quote.ts';
import { refuseClosed, refuseRenewal, refuseRenewed } from './refusals.ts';
import { viewOf } from './view.ts';

type Choice = { userId: number; plan: PaidPlan; months: number; network: Network };

const OPENED = { most: 30, seconds: 3600 };
/** As far back as the same choice is looked for. */
const LOOKED_AT = 10;
/** What cost nothing is bought at once: within this time a second click means the same. */
const SAME_CLICK_MS = 60_000;

type Situation = { price: Units; credit: Units; periods: readonly Period[]; now: Date };

/** Whether a payment that was offered before would be offered the same today. */
function stillHolds(payment: StoredPayment, deposits: readonly Deposit[], { price, credit, periods, now }: Situation) {
  if (payment.appliedAt) return payment.due === 0n && now.getTime() - payment.appliedAt.getTime() < SAME_CLICK_MS;
  const status = statusOf({ ...payment, isApplied: false }, deposits, now);
  // Its money is there or on its way: nobody is asked to pay a second time.
  if (status === 'detected') return true;
  if (status !== 'pending' && status !== 'underpaid') return false;
  if (payment.due === 0n) return false;
  const before = quoteOf({ price, plan: payment.plan, periods }, credit - creditedOf(deposits), payment.createdAt);
  return (
    payment.price === before.price && payment.proration === before.proration && payment.creditUsed === before.creditUsed
  );
}

async function findOpen(tx: Db, choice: Choice, situation: Situation): Promise<StoredPayment | undefined> {
  const similar = await findSimilar(tx, choice, LOOKED_AT);
  const ids = similar.map(({ id }) => id);
  const deposits = await depositsOfPayments(tx, ids);
  return similar.find((payment) => {
    const own = deposits.filter(({ paymentId }) => paymentId === payment.id);
    return stillHolds(payment, own, situation);
  });
}

async function create(ctx: UsdcContext, tx: Db, choice: Choice, quote: Quote, now: Date): Promise<StoredPayment> {
  const rail = ctx.rails[choice.network];
  await limitPerson({ db: tx, now: ctx.now }, 'usdc-open', choice.userId, OPENED);
  const due = rail.uniqueAmounts && quote.due > 0n ? await uniqueAmount(tx, choice.network, quote.due, now) : quote.due;
  const id = `pay_${randomBytes(12).toString('hex')}`;
  const expiresAt = new Date(now.getTime() + ctx.config.PAY_MINUTES * 60_000);
  const fresh = { ...choice, ...quote, id, due, createdAt: now, expiresAt };
  const number = await insertPayment(tx, fresh);
  const route = await rail.routeOf({ id, number });
  await setRoute(tx, id, route);
  const payment = { ...fresh, number, address: route.address, route: route.route, applications: 0, appliedAt: null };
  if (due === 0n) {
    if (!(await applyPayment(ctx, tx, payment, { goodAt: now, at: now })))
      throw new Error(`${id} needs no money, yet the balance does not hold its price`);
    return { ...payment, applications: 1, appliedAt: now };
  }
  await ctx.live.publishTo(tx, choice.userId, accountTopic, { changed: ['payments'] });
  return payment;
}

/** The open payment of this choice, or a new one; where the balance covers it all, the plan is bought at once. */
export async function openPayment(ctx: UsdcContext, choice: Choice, isRenewal: boolean): Promise<Payment> {
  const { userId, plan, months } = choice;
  refuseClosed(ctx, choice.network);
  await refuseRenewed(ctx, userId);
  const payment = await ctx.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    const now = ctx.now();
    const periods = await periodsOfUser(tx, userId);
    const price = pricedFor(ctx, plan, months, periods);
    const credit = await balanceOf(tx, userId);
    const open = await findOpen(tx, choice, { price, credit, periods, now });
    if (open) return open;
    if (isRenewal) await refuseRenewal(tx, { userId, plan, periods, now });
    refuseQueued(plan, periods, now);
    return create(ctx, tx, choice, quoteOf({ price, plan, periods }, credit, now), now);
  });
  if (payment.appliedAt) await ctx.bought(userId);
  return viewOf(ctx, payment, await depositsOfPayments(ctx.db, [payment.id]));
}
