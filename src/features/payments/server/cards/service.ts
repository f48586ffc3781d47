import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { BillingEntry } from '#features/payments/contract/billing.ts';
import type { CardReader, CardStanding, PaymentMethod, Receipt } from '#features/payments/server/billing/service.ts';
import { BRAND } from '#shared/brand.ts';
import { type Units, unitsToUsd } from '#shared/money.ts';

import { type CardsContext, type CardsDeps, createStripeLoader, disabledReason } from './context.ts';
import { cleanUp, scheduleCleanUp } from './service/clean-up.ts';
import { type BoughtInvoice, findInvoice, findInvoices, readPostings } from './store/invoices.ts';
import { findLive } from './store/subscriptions.ts';

/** Null when nothing will be charged to a card any more. */
async function readCardStatus(ctx: CardsContext, userId: number): Promise<CardStanding | null> {
  const live = await findLive(ctx.db, userId);
  const sub = live.toSorted((a, b) => Number(a.cancel_at_period_end) - Number(b.cancel_at_period_end))[0];
  if (!sub) return null;
  return {
    plan: sub.plan,
    months: sub.months,
    renewsAt: sub.cancel_at_period_end ? null : sub.period_end,
    cancelled: sub.cancel_at_period_end,
    pastDue: sub.status === 'past_due' || sub.status === 'unpaid',
  };
}

const invoiceTitle = ({ plan, months }: BoughtInvoice) =>
  `${PLAN_NAMES[plan]}, ${months === 1 ? '1 month' : `${months} months`}`;

function entryState({ status, subscription, units_paid: paid }: BoughtInvoice, back: Units): BillingEntry['state'] {
  // An open invoice is no longer collected once its subscription has ended.
  if (status !== 'paid') return status === 'open' && subscription !== 'canceled' ? 'open' : 'failed';
  return back > 0n && back >= BigInt(paid) ? 'refunded' : 'paid';
}

/** Every invoice with an amount due, and its refunds. */
async function readEntries(ctx: CardsContext, userId: number): Promise<BillingEntry[]> {
  const entries: BillingEntry[] = [];
  for (const invoice of await findInvoices(ctx.db, userId)) {
    const lines = await readPostings(ctx.db, invoice.id);
    const isBooked = lines.length > 0;
    if (invoice.status === 'paid' && invoice.units_paid === 0 && !isBooked) continue;
    const returns = lines.filter(({ key, account }) => account === 'stripe' && key !== `card:${invoice.id}`);
    const back = -returns.reduce((sum, { units }) => sum + units, 0n);
    const creditNote = invoice.checkout === 'short' ? ' (kept as credit)' : '';
    entries.push({
      id: invoice.id,
      at: invoice.paid_at ?? invoice.created_at,
      title: `${invoiceTitle(invoice)} by card${creditNote}`,
      method: 'card',
      // An open invoice belongs to a renewal: the invoice of a checkout is paid at once or never created.
      amount: unitsToUsd(BigInt(invoice.status === 'paid' ? invoice.units_paid : (invoice.regular ?? 0))),
      state: entryState(invoice, back),
      receipt: invoice.status === 'paid' ? `/api/billing/receipts/${invoice.id}` : null,
    });
    for (const { key, units, at } of returns)
      entries.push({
        id: key,
        at,
        title: units < 0n ? 'Refund to the card' : 'Paid again after dispute',
        method: 'card',
        amount: unitsToUsd(units),
        state: units < 0n ? 'refunded' : 'paid',
        receipt: null,
      });
  }
  return entries.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** Undefined when the account has no such paid invoice. */
async function findReceipt(ctx: CardsContext, userId: number, id: string): Promise<Receipt | undefined> {
  const invoice = await findInvoice(ctx.db, id);
  if (!invoice || invoice.user_id !== userId || invoice.status !== 'paid') return undefined;
  const credit = (await readPostings(ctx.db, id)).find(
    ({ key, units }) => key === `card-credit:${id}` && units > 0n,
  )?.units;
  const paid = BigInt(invoice.units_paid);
  const price = paid + (credit ?? 0n);
  return {
    number: invoice.number ?? invoice.id,
    at: new Date(invoice.paid_at ?? invoice.created_at),
    lines: [
      [`${BRAND.name} ${invoiceTitle(invoice)}`, unitsToUsd(price)],
      ...(credit ? [['Paid from your balance', unitsToUsd(-credit)] as const] : []),
    ],
    total: unitsToUsd(paid),
    paidBy: 'Card',
  };
}

export type Cards = {
  ctx: CardsContext;
  way: PaymentMethod;
  cardOf: CardReader;
  /** Ends card subscriptions of a deleted account. */
  leave: (userId: number) => Promise<void>;
  /** Ends card subscriptions superseded by a plan paid another way. Never fails: the job retries. */
  giveWay: (userId: number) => Promise<void>;
};

/** Card payments of one process. */
export function createCards(deps: CardsDeps): Cards {
  const ctx: CardsContext = { ...deps, stripe: createStripeLoader(deps.config) };
  return {
    ctx,
    way: {
      methods: () => ({ card: disabledReason(ctx.config) }),
      entriesOf: (userId) => readEntries(ctx, userId),
      findReceipt: (userId, id) => findReceipt(ctx, userId, id),
    },
    cardOf: (userId) => readCardStatus(ctx, userId),
    leave: (userId) => cleanUp(ctx, userId),
    giveWay: (userId) => scheduleCleanUp(ctx, userId),
  };
}
