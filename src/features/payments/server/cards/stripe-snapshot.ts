import type Stripe from 'stripe';
import { z } from 'zod';

import { centsToUnits, type Units } from '#shared/money.ts';

import { present } from './context.ts';

/** An invoice as Stripe reports it now. */
export type InvoiceSnapshot = {
  id: string;
  status: string;
  /** Whether it is for the first period, the one quoted by the checkout. */
  isFirst: boolean;
  /** True for the invoice of a period that costs nothing, such as the wait for another plan to end. */
  isFree: boolean;
  isRefused: boolean;
  due: Units;
  /** When a declined card is retried; null when it is not. */
  nextTry: Date | null;
  paid: Units;
  paidAt: Date | null;
  createdAt: Date;
  number: string | null;
  url: string | null;
};

export type SubscriptionSnapshot = {
  id: string;
  userId: number;
  customerId: string;
  plan: 'pro' | 'premium';
  months: number;
  checkoutId: string | null;
  status: string;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  createdAt: Date;
  /** Oldest first. */
  invoices: InvoiceSnapshot[];
};

/** Money refunded, or held while a bank decides a dispute. */
export type Returned =
  | { kind: 'refund'; invoiceId: string; total: Units; isFull: boolean }
  | { kind: 'dispute'; invoiceId: string; id: string; units: Units; status: 'held' | 'won' | 'lost' };

/** What to re-read: a subscription, and the refund or dispute to look up. */
export type Subject = { subscriptionId: string; invoiceId?: string; chargeId?: string; disputeId?: string };

const MOST_INVOICES = 100;
/** Metadata we write on every subscription. */
const ownMetadata = z.object({
  userId: z.coerce.number().int(),
  plan: z.enum(['pro', 'premium']),
  months: z.coerce.number().int().min(1),
  checkout: z.optional(z.string()),
});

const moment = (seconds: number) => new Date(seconds * 1000);
export const idIn = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

export const subscriptionIn = (invoice: Stripe.Invoice): string | undefined =>
  idIn(invoice.parent?.subscription_details?.subscription);

function toInvoiceSnapshot(invoice: Stripe.Invoice): InvoiceSnapshot {
  const paidAt = invoice.status_transitions.paid_at;
  return {
    id: invoice.id,
    status: invoice.status ?? 'draft',
    isFirst: invoice.billing_reason === 'subscription_create',
    isFree: invoice.subtotal === 0,
    isRefused: invoice.status === 'open' && invoice.attempt_count > 0,
    due: centsToUnits(invoice.amount_due),
    nextTry: invoice.next_payment_attempt ? moment(invoice.next_payment_attempt) : null,
    paid: centsToUnits(invoice.amount_paid),
    paidAt: paidAt ? moment(paidAt) : null,
    createdAt: moment(invoice.created),
    number: invoice.number,
    url: invoice.hosted_invoice_url ?? null,
  };
}

/** 'unknown' when it does not exist (any more), 'foreign' when it belongs to another product. */
export async function readSubscription(
  stripe: Stripe,
  id: string,
): Promise<SubscriptionSnapshot | 'unknown' | 'foreign'> {
  const sub = await present(stripe.subscriptions.retrieve(id));
  if (!sub) return 'unknown';
  const known = ownMetadata.safeParse(sub.metadata);
  if (!known.success) return 'foreign';
  const { data: invoices } = await stripe.invoices.list({ subscription: id, limit: MOST_INVOICES });
  const end = sub.items.data[0]?.current_period_end;
  return {
    id,
    userId: known.data.userId,
    customerId: idIn(sub.customer) ?? '',
    plan: known.data.plan,
    months: known.data.months,
    checkoutId: known.data.checkout ?? null,
    status: sub.status,
    periodEnd: end ? moment(end) : null,
    cancelAtPeriodEnd: sub.cancel_at_period_end || sub.cancel_at !== null,
    createdAt: moment(sub.created),
    invoices: invoices
      .map(toInvoiceSnapshot)
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)),
  };
}

/** An inquiry withholds no money. */
function disputeState(status: string): 'held' | 'won' | 'lost' | undefined {
  if (status === 'won' || status === 'lost') return status;
  return status.startsWith('warning') || status === 'prevented' ? undefined : 'held';
}

export async function readReturned(stripe: Stripe, subject: Subject): Promise<Returned | undefined> {
  const { invoiceId, chargeId, disputeId } = subject;
  if (!invoiceId) return undefined;
  if (disputeId) {
    const dispute = await stripe.disputes.retrieve(disputeId);
    const status = disputeState(dispute.status);
    return status && { kind: 'dispute', invoiceId, id: disputeId, units: centsToUnits(dispute.amount), status };
  }
  if (!chargeId) return undefined;
  const charge = await stripe.charges.retrieve(chargeId);
  return { kind: 'refund', invoiceId, total: centsToUnits(charge.amount_refunded), isFull: charge.refunded };
}

/** Undefined when the charge has no invoice. */
async function findIntentInvoice(stripe: Stripe, intent: string | undefined): Promise<Stripe.Invoice | undefined> {
  if (!intent) return undefined;
  const payment = { type: 'payment_intent' as const, payment_intent: intent };
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
  const id = idIn(data[0]?.invoice);
  return id ? stripe.invoices.retrieve(id) : undefined;
}

/** The subject of an event; undefined when it is not ours. */
export async function readSubject(stripe: Stripe, event: Stripe.Event): Promise<Subject | undefined> {
  const readEvent = (subscriptionId: string | undefined): Subject | undefined =>
    subscriptionId ? { subscriptionId } : undefined;
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return readEvent(event.data.object.id);
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return readEvent(subscriptionIn(event.data.object));
    case 'checkout.session.completed':
      return readEvent(idIn(event.data.object.subscription));
    case 'charge.refunded': {
      const { id, payment_intent: intent } = event.data.object;
      return withInvoice(await findIntentInvoice(stripe, idIn(intent)), { chargeId: id });
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed': {
      const { id, payment_intent: intent } = event.data.object;
      return withInvoice(await findIntentInvoice(stripe, idIn(intent)), { disputeId: id });
    }
    default:
      return undefined;
  }
}

function withInvoice(
  invoice: Stripe.Invoice | undefined,
  more: { chargeId: string } | { disputeId: string },
): Subject | undefined {
  const subscriptionId = invoice && subscriptionIn(invoice);
  return subscriptionId ? { subscriptionId, invoiceId: invoice.id, ...more } : undefined;
}

/** Event types that are handled, and replayed when they may have been missed. */
export const HEARD = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const satisfies readonly Stripe.Event['type'][];
