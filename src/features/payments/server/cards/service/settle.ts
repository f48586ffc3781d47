import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  addGrant,
  creditAccount,
  creditBalance,
  hasPaid,
  type Period,
  post,
  prorationCredit,
  readPeriods,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import type { CardsContext } from '../context.ts';
import { type CheckoutRow, findCheckout, setCheckoutState } from '../store/invoices.ts';
import type { InvoiceSnapshot, SubscriptionSnapshot } from '../stripe-snapshot.ts';

const CENT = 10_000n;

export const grantSource = (invoiceId: string): string => `stripe:invoice:${invoiceId}`;

export const min = (...units: readonly Units[]): Units => units.reduce((a, b) => (b < a ? b : a));

/** Unused value of a Pro period cut by Premium+; 0 for a period that runs to its end. */
export const cutRemaining = (period: Period | undefined): Units =>
  period && period.plan === 'pro' && period.cut < period.end
    ? prorationCredit([{ ...period, cut: period.end }], period.cut)
    : 0n;

type Purchase = {
  source: string;
  paidAt: Date;
  /** Credit that Premium+ returns for unused Pro. */
  proration: Units;
  /** Credit applied to the purchase. */
  spent: Units;
  /** False when the credit or first-month discount that lowered the price has since been used by another purchase. */
  isCovered: boolean;
};

/** Only a discounted first month costs less than the months after it. */
const isFirstMonth = (quote: CheckoutRow | undefined): boolean => quote !== undefined && quote.price < quote.regular;

async function readPurchase(
  tx: Db,
  sub: SubscriptionSnapshot,
  invoice: InvoiceSnapshot,
  quote: CheckoutRow | undefined,
) {
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const periods = await readPeriods(tx, sub.userId);
  const proration = sub.plan === 'premium' ? prorationCredit(periods, paidAt.getTime()) : 0n;
  const wanted = BigInt(quote?.credit_used ?? 0);
  const spent = min(wanted, proration + (await creditBalance(tx, sub.userId)));
  // A quote is valid while its checkout is open, so Pro time used since then is not charged.
  const quoted = quote ? prorationCredit(periods, Date.parse(quote.quoted_at)) : 0n;
  const usedUp = quote ? min(BigInt(quote.proration), quoted) - proration : 0n;
  const allowed = (usedUp > 0n ? usedUp : 0n) + CENT;
  const purchase: Purchase = {
    source: grantSource(invoice.id),
    paidAt,
    proration,
    spent,
    isCovered: wanted - spent <= allowed && !(isFirstMonth(quote) && hasPaid(periods)),
  };
  return purchase;
}

/**
 * Books a paid invoice and grants its plan once, within a transaction that holds the account's billing lock. Money of a
 * deleted account goes to suspense; a payment whose price reduction is no longer covered becomes credit.
 */
export async function settle(
  ctx: CardsContext,
  tx: Db,
  sub: SubscriptionSnapshot,
  invoice: InvoiceSnapshot,
  isOwned: boolean,
): Promise<void> {
  const { userId, plan, months } = sub;
  const at = ctx.now();
  const quote = invoice.isFirst && sub.checkoutId ? await findCheckout(tx, sub.checkoutId) : undefined;
  const purchase = await readPurchase(tx, sub, invoice, quote);
  const { source, paidAt, proration, spent, isCovered } = purchase;
  const about = `${PLAN_NAMES[plan]}, ${months === 1 ? '1 month' : `${months} months`} by card`;
  const entry = { at, about, createdBy: null };
  const credit = creditAccount(userId);
  const earned = isOwned ? (isCovered ? 'revenue' : credit) : 'suspense';
  const isNew = await post(tx, {
    ...entry,
    key: `card:${invoice.id}`,
    lines: [
      ['stripe', invoice.paid],
      [earned, -invoice.paid],
    ],
  });
  if (!isNew) return;
  if (quote) await setCheckoutState(tx, quote.id, isCovered ? 'paid' : 'short');
  if (!isOwned || !isCovered) return;
  if (proration > 0n)
    await post(tx, {
      ...entry,
      key: `prorate:${source}`,
      about: 'Credit for unused Pro time',
      lines: [
        ['revenue', proration],
        [credit, -proration],
      ],
    });
  if (spent > 0n)
    await post(tx, {
      ...entry,
      key: `card-credit:${invoice.id}`,
      lines: [
        [credit, spent],
        ['revenue', -spent],
      ],
    });
  const grant = { source, plan, months, days: 0, goodAt: paidAt, units: invoice.paid + spent };
  await addGrant(ctx, tx, { ...grant, userId, at, createdBy: null, note: about });
  await creditRemaining(tx, userId, source, entry);
}

/**
 * A Pro payment that arrives after the Premium+ that cuts it: the unused part becomes credit as if it had arrived in
 * order.
 */
async function creditRemaining(
  tx: Db,
  userId: number,
  source: string,
  entry: { at: Date; createdBy: null },
): Promise<void> {
  const periods = await readPeriods(tx, userId);
  const rest = cutRemaining(periods.find((period) => period.source === source));
  if (rest > 0n)
    await post(tx, {
      ...entry,
      key: `prorate:${source}`,
      about: 'Credit for unused Pro time',
      lines: [
        ['revenue', rest],
        [creditAccount(userId), -rest],
      ],
    });
}
