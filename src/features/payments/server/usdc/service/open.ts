import { randomBytes } from 'node:crypto';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { limitUser } from '#features/accounts/server/auth/service.ts';
import { NETWORK_NAMES, type Network, type Payment } from '#features/payments/contract/usdc.ts';
import {
  lockBilling,
  type PaidPlan,
  type Period,
  readPeriods,
  rejectQueued,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { BRAND } from '#shared/brand.ts';
import { type Units, unitsToUsd } from '#shared/money.ts';

import type { UsdcContext } from '../context.ts';
import { planTitle } from '../labels.ts';
import { applyPayment } from '../reconcile/apply.ts';
import { isInTime, onTimeUnits, paidUnits, paymentFlags, paymentStatus } from '../status.ts';
import { creditedUnits, type Deposit, findDepositsByPayment } from '../store/deposits.ts';
import { findSimilar, insertPayment, type StoredPayment, setRoute } from '../store/payments.ts';
import {
  createQuote,
  pricedFor,
  type Quote,
  readBalance,
  rejectClosed,
  rejectRenewal,
  rejectRenewed,
  uniqueAmount,
} from './quote.ts';

/** End of the plan this payment bought; null while it has bought nothing. */
async function grantedUntil({ db }: UsdcContext, { id, userId, appliedAt, applications }: StoredPayment) {
  if (!appliedAt) return null;
  const source = `wallet:${id}:${applications}`;
  const period = (await readPeriods(db, userId)).find((each) => each.source === source);
  return period ? new Date(period.cut).toISOString() : null;
}

/** A payment as shown to its owner. */
export async function toPayment(
  ctx: UsdcContext,
  payment: StoredPayment,
  deposits: readonly Deposit[],
): Promise<Payment> {
  const { network, due, expiresAt, address } = payment;
  const rail = ctx.rails[network];
  const owed = { due, expiresAt, isApplied: payment.appliedAt !== null };
  const reference = network === 'solana' ? payment.route : null;
  const open = due - onTimeUnits(deposits, expiresAt);
  const units = open > 0n ? open : due;
  return {
    paymentId: payment.id,
    planId: payment.plan,
    network,
    months: payment.months,
    address,
    amount: unitsToUsd(due),
    price: unitsToUsd(payment.price),
    creditUsed: unitsToUsd(payment.creditUsed + payment.proration),
    createdAt: payment.createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    uri: rail.uriOf({
      address,
      reference,
      units,
      label: BRAND.name,
      message: `${planTitle(payment)}, USDC on ${NETWORK_NAMES[network]}`,
    }),
    reference,
    token: rail.token,
    status: paymentStatus(owed, deposits, ctx.now()),
    flags: paymentFlags(owed, deposits),
    paid: unitsToUsd(paidUnits(deposits)),
    grantedUntil: await grantedUntil(ctx, payment),
    deposits: deposits.map((deposit) => ({
      tx: deposit.tx,
      url: rail.linkOf(deposit.tx),
      at: deposit.at.toISOString(),
      amount: unitsToUsd(deposit.units),
      sender: deposit.sender,
      state: deposit.state,
      isLate: !isInTime(deposit, expiresAt),
    })),
    demoWallet: rail.demoWalletOf?.({ address, reference, units, expiresAt }) ?? null,
  };
}

type Choice = { userId: number; plan: PaidPlan; months: number; network: Network };

const OPENED = { most: 30, seconds: 3600 };
/** How many recent payments are searched for the same choice. */
const LOOKED_AT = 10;
/** A payment with nothing due is applied at once: a second click within this time means the same purchase. */
const SAME_CLICK_MS = 60_000;

type QuoteContext = { price: Units; credit: Units; periods: readonly Period[]; now: Date };

/** Whether an earlier offer would be the same today. */
function isStillValid(
  payment: StoredPayment,
  deposits: readonly Deposit[],
  { price, credit, periods, now }: QuoteContext,
) {
  if (payment.appliedAt) return payment.due === 0n && now.getTime() - payment.appliedAt.getTime() < SAME_CLICK_MS;
  const status = paymentStatus({ ...payment, isApplied: false }, deposits, now);
  // Its money has arrived or is pending: the user is not asked to pay twice.
  if (status === 'detected') return true;
  if (status !== 'pending' && status !== 'underpaid') return false;
  if (payment.due === 0n) return false;
  const before = createQuote(
    { price, plan: payment.plan, periods },
    credit - creditedUnits(deposits),
    payment.createdAt,
  );
  return (
    payment.price === before.price && payment.proration === before.proration && payment.creditUsed === before.creditUsed
  );
}

async function findOpen(tx: Db, choice: Choice, situation: QuoteContext): Promise<StoredPayment | undefined> {
  const similar = await findSimilar(tx, choice, LOOKED_AT);
  const ids = similar.map(({ id }) => id);
  const deposits = await findDepositsByPayment(tx, ids);
  return similar.find((payment) => {
    const own = deposits.filter(({ paymentId }) => paymentId === payment.id);
    return isStillValid(payment, own, situation);
  });
}

async function create(ctx: UsdcContext, tx: Db, choice: Choice, quote: Quote, now: Date): Promise<StoredPayment> {
  const rail = ctx.rails[choice.network];
  await limitUser({ db: tx, now: ctx.now }, 'usdc-open', choice.userId, OPENED);
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

/** The open payment for this choice, or a new one; when the balance covers everything the plan is bought at once. */
export async function openPayment(ctx: UsdcContext, choice: Choice, isRenewal: boolean): Promise<Payment> {
  const { userId, plan, months } = choice;
  rejectClosed(ctx, choice.network);
  await rejectRenewed(ctx, userId);
  const payment = await ctx.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    const now = ctx.now();
    const periods = await readPeriods(tx, userId);
    const price = pricedFor(ctx, plan, months, periods);
    const credit = await readBalance(tx, userId);
    const open = await findOpen(tx, choice, { price, credit, periods, now });
    if (open) return open;
    if (isRenewal) await rejectRenewal(tx, { userId, plan, periods, now });
    rejectQueued(plan, periods, now);
    return create(ctx, tx, choice, createQuote({ price, plan, periods }, credit, now), now);
  });
  if (payment.appliedAt) await ctx.bought(userId);
  return toPayment(ctx, payment, await findDepositsByPayment(ctx.db, [payment.id]));
}
