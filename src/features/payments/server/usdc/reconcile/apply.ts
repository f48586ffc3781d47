import { NETWORK_NAMES } from '#features/payments/contract/usdc.ts';
import {
  addGrant,
  creditAccount,
  creditBalance,
  type Period,
  post,
  prorationCredit,
  readPeriods,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';
import type { UsdcContext } from '../context.ts';
import { planTitle } from '../labels.ts';
import { isPastFirst } from '../service/quote.ts';
import { isCovered, isInTime, type StoredDeposit, TOLERANCE } from '../status.ts';
import { type StoredPayment, setApplied } from '../store/payments.ts';

const min = (a: Units, b: Units): Units => (a < b ? a : b);

/**
 * When the payment became valid: the block that completed it, but never before the offer or after now. Undefined while
 * it is incomplete.
 */
export function paidAt(payment: StoredPayment, deposits: readonly StoredDeposit[], now: Date): Date | undefined {
  if (payment.due === 0n) return payment.createdAt;
  let paid = 0n;
  for (const deposit of deposits) {
    if (!deposit.isCredited || !isInTime(deposit, payment.expiresAt)) continue;
    paid += deposit.units;
    if (!isCovered(paid, payment.due)) continue;
    const at = Math.min(Math.max(deposit.at.getTime(), payment.createdAt.getTime()), now.getTime());
    return new Date(at);
  }
  return undefined;
}

/** Value at offer time of the Pro periods this grant cuts; periods cut by another upgrade are excluded. */
function upgradeCredit(before: readonly Period[], after: readonly Period[], offeredAt: Date): Units {
  const ended = new Set(after.flatMap(({ source, cut, end }) => (cut < end ? source : [])));
  const ending = before.filter(({ source, cut, end }) => cut === end && ended.has(source));
  return prorationCredit(ending, offeredAt.getTime());
}

/**
 * Buys the plan from the balance; false, with nothing changed, when the balance does not cover the price or the price
 * is no longer valid. The caller holds the account's lock.
 */
export async function applyPayment(
  ctx: UsdcContext,
  tx: Db,
  payment: StoredPayment,
  { goodAt, at }: { goodAt: Date; at: Date },
): Promise<boolean> {
  const { id, userId, plan, months, price } = payment;
  const applications = payment.applications + 1;
  const source = `wallet:${id}:${applications}`;
  const about = `${planTitle(payment)} by USDC on ${NETWORK_NAMES[payment.network]}`;
  const grant = { source, plan, months, days: 0, goodAt, units: price };
  const before = await readPeriods(tx, userId);
  // Only one of two open first-month offers is granted: a payment for the other stays on the balance.
  if (payment.applications === 0 && isPastFirst(ctx, payment, before)) return false;
  let after = await readPeriods(tx, userId, [grant]);
  const own = after.find((period) => period.source === source);
  // Pro paid before a Premium+ that has been bought since would be cut by it, so it is queued instead.
  if (own && own.cut < own.end) {
    grant.goodAt = new Date(at.getTime() + 1);
    after = await readPeriods(tx, userId, [grant]);
  }
  const proration = upgradeCredit(before, after, payment.createdAt);
  const have = (await creditBalance(tx, userId)) + proration;
  if (have < price - TOLERANCE) return false;
  const spent = min(price, have);
  if (proration > 0n)
    await post(tx, {
      key: `prorate:${source}`,
      at,
      about: 'Unused Pro time',
      createdBy: null,
      lines: [
        ['revenue', proration],
        [creditAccount(userId), -proration],
      ],
    });
  await post(tx, {
    key: `apply:${id}:${applications}`,
    at,
    about,
    createdBy: null,
    lines: [
      [creditAccount(userId), spent],
      ['revenue', -spent],
    ],
  });
  await setApplied(tx, id, at, applications);
  await addGrant(ctx, tx, { ...grant, units: spent, userId, at, createdBy: null, note: about });
  return true;
}
