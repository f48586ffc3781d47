import {
  addMonths,
  type Card,
  type Charge,
  type CheckoutOrder,
  type Coupon,
  type Customer,
  type Dispute,
  type Invoice,
  type Session,
  type Subscription,
  type SubscriptionProgress,
} from './stripe-types.ts';
import { createId, StripeWebhooks } from './stripe-webhooks.ts';

const DAY = 86_400;
/** Days after a declined payment on which the card is retried; after the last one the subscription ends. */
const [LAST_TRY, RETRIES] = [7, [3, 5, 7]] as const;

/** State of one account's customers: time passes with every call. */
export class StripeState {
  readonly webhooks = new StripeWebhooks();
  readonly customers = new Map<string, Customer>();
  readonly cards = new Map<string, Card>();
  readonly coupons = new Map<string, Coupon>();
  readonly sessions = new Map<string, Session>();
  readonly orders = new Map<string, CheckoutOrder>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly progress = new Map<string, SubscriptionProgress>();
  readonly invoices = new Map<string, Invoice>();
  readonly charges = new Map<string, Charge>();
  /** Charge of each paid invoice. */
  readonly chargeOf = new Map<string, string>();
  readonly disputes = new Map<string, Dispute>();
  readonly portals = new Map<string, { customer: string; returnUrl: string }>();
  readonly #origins = new Map<string, string>();
  #number = 0;

  emit(type: string, object: { customer?: string | null }, at: number): void {
    this.webhooks.emit(type, object, at, this.#origins.get(object.customer ?? ''));
  }

  /** Customers receive events at the origin of their checkout. */
  setWebhookOrigin(customer: string, successUrl: string): void {
    this.#origins.set(customer, new URL(successUrl).origin);
  }

  pay(session: Session, at: number): void {
    const order = this.orders.get(session.id) as CheckoutOrder;
    const customer = session.customer as string;
    this.cards.set(customer, 'good');
    const hasTrial = order.trialEnd !== null && order.trialEnd > at;
    const start = hasTrial ? (order.trialEnd as number) : at;
    const end = hasTrial ? start : addMonths(at, order.months);
    const sub: Subscription = {
      id: createId('sub'),
      object: 'subscription',
      customer,
      status: hasTrial ? 'trialing' : 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      created: at,
      billing_cycle_anchor: start,
      trial_end: hasTrial ? start : null,
      livemode: false,
      metadata: order.metadata,
      latest_invoice: null,
      items: {
        object: 'list',
        data: [
          {
            id: createId('si'),
            object: 'subscription_item',
            quantity: 1,
            current_period_start: at,
            current_period_end: end,
            price: {
              id: createId('price'),
              object: 'price',
              unit_amount: order.unitAmount,
              currency: 'usd',
              recurring: { interval: 'month', interval_count: order.months },
            },
          },
        ],
      },
    };
    this.subscriptions.set(sub.id, sub);
    this.progress.set(sub.id, { months: order.months, billedMonths: hasTrial ? 0 : order.months, name: order.name });
    const [subtotal, discount] = hasTrial ? [0, 0] : [order.unitAmount, order.discount];
    const invoice = this.#bill(sub, subtotal, discount, 'subscription_create', at);
    this.#settle(invoice, at);
    session.status = 'complete';
    session.payment_status = invoice.total > 0 ? 'paid' : 'no_payment_required';
    session.url = null;
    session.subscription = sub.id;
    session.invoice = invoice.id;
    this.emit('customer.subscription.created', sub, at);
    this.emit('invoice.paid', invoice, at);
    this.emit('checkout.session.completed', session, at);
  }

  #bill(sub: Subscription, subtotal: number, discount: number, reason: Invoice['billing_reason'], at: number): Invoice {
    const total = Math.max(0, subtotal - discount);
    const item = sub.items.data[0];
    const id = createId('in');
    const invoice: Invoice = {
      id,
      object: 'invoice',
      number: `DEMO-${String(++this.#number).padStart(4, '0')}`,
      customer: sub.customer,
      status: 'open',
      subtotal,
      total,
      amount_due: total,
      amount_paid: 0,
      amount_remaining: total,
      currency: 'usd',
      billing_reason: reason,
      created: at,
      attempt_count: 0,
      next_payment_attempt: null,
      livemode: false,
      hosted_invoice_url: `https://invoice.stripe.com/i/${id}`,
      status_transitions: { finalized_at: at, paid_at: null },
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: sub.id, metadata: sub.metadata },
      },
      lines: {
        object: 'list',
        data: [
          {
            id: createId('il'),
            object: 'line_item',
            amount: subtotal,
            period: { start: item.current_period_start, end: item.current_period_end },
          },
        ],
      },
    };
    this.invoices.set(id, invoice);
    sub.latest_invoice = id;
    return invoice;
  }

  /** Marks the invoice as paid. */
  #settle(invoice: Invoice, at: number): void {
    invoice.status = 'paid';
    invoice.amount_paid = invoice.total;
    invoice.amount_remaining = 0;
    invoice.attempt_count += 1;
    invoice.next_payment_attempt = null;
    invoice.status_transitions.paid_at = at;
    if (invoice.total === 0) return;
    const charge: Charge = {
      id: createId('ch'),
      object: 'charge',
      amount: invoice.total,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      currency: 'usd',
      customer: invoice.customer,
      payment_intent: createId('pi'),
      status: 'succeeded',
      created: at,
      livemode: false,
    };
    this.charges.set(charge.id, charge);
    this.chargeOf.set(invoice.id, charge.id);
  }

  /** Runs all pending events in time order; seconds. */
  advanceTo(now: number): void {
    for (const session of this.sessions.values())
      if (session.status === 'open' && session.expires_at <= now) this.expire(session, session.expires_at);
    for (const sub of this.subscriptions.values()) while (this.#advance(sub, now));
  }

  expire(session: Session, at: number): void {
    session.status = 'expired';
    session.url = null;
    this.emit('checkout.session.expired', session, at);
  }

  #advance(sub: Subscription, now: number): boolean {
    if (sub.status === 'canceled') return false;
    if (sub.status === 'past_due') return this.#retry(sub, now);
    const end = sub.items.data[0].current_period_end;
    if (end > now) return false;
    if (sub.cancel_at_period_end) this.end(sub, end);
    else this.renew(sub, end);
    return true;
  }

  /** Starts the next period and charges it; a declined card leaves it past due. */
  renew(sub: Subscription, at: number): void {
    const [item] = sub.items.data;
    const progress = this.progress.get(sub.id) as SubscriptionProgress;
    progress.billedMonths += progress.months;
    item.current_period_start = item.current_period_end;
    item.current_period_end = addMonths(sub.billing_cycle_anchor, progress.billedMonths);
    const invoice = this.#bill(sub, item.price.unit_amount, 0, 'subscription_cycle', at);
    if (this.cards.get(sub.customer) === 'refused') {
      this.#decline(invoice);
      sub.status = 'past_due';
      this.emit('invoice.payment_failed', invoice, at);
    } else {
      this.#settle(invoice, at);
      sub.status = 'active';
      this.emit('invoice.paid', invoice, at);
    }
    this.emit('customer.subscription.updated', sub, at);
  }

  #decline(invoice: Invoice): void {
    invoice.attempt_count += 1;
    const days = RETRIES[invoice.attempt_count - 1];
    invoice.next_payment_attempt = days === undefined ? null : invoice.created + days * DAY;
  }

  #retry(sub: Subscription, now: number): boolean {
    const invoice = this.invoices.get(sub.latest_invoice ?? '') as Invoice;
    const days = RETRIES[invoice.attempt_count - 1];
    const at = invoice.created + (days ?? LAST_TRY) * DAY;
    if (at > now) return false;
    if (days === undefined) this.end(sub, at);
    else this.#charge(sub, invoice, at);
    return true;
  }

  #charge(sub: Subscription, invoice: Invoice, at: number): void {
    if (this.cards.get(sub.customer) === 'refused') {
      this.#decline(invoice);
      this.emit('invoice.payment_failed', invoice, at);
      return;
    }
    this.#settle(invoice, at);
    sub.status = 'active';
    this.emit('invoice.paid', invoice, at);
    this.emit('customer.subscription.updated', sub, at);
  }

  /** Retries open invoices immediately with a new card. */
  setCard(customer: string, card: Card, at: number): void {
    this.cards.set(customer, card);
    if (card === 'refused') return;
    for (const sub of this.subscriptions.values())
      if (sub.customer === customer && sub.status === 'past_due')
        this.#charge(sub, this.invoices.get(sub.latest_invoice ?? '') as Invoice, at);
  }

  end(sub: Subscription, at: number): void {
    sub.status = 'canceled';
    sub.canceled_at ??= at;
    sub.ended_at = at;
    this.emit('customer.subscription.deleted', sub, at);
  }

  setCancel(sub: Subscription, cancel: boolean, at: number): void {
    sub.cancel_at_period_end = cancel;
    sub.cancel_at = cancel ? sub.items.data[0].current_period_end : null;
    sub.canceled_at = cancel ? at : null;
    this.emit('customer.subscription.updated', sub, at);
  }

  refund(charge: Charge, amount: number, at: number): void {
    charge.amount_refunded = Math.min(charge.amount, charge.amount_refunded + amount);
    charge.refunded = charge.amount_refunded === charge.amount;
    this.emit('charge.refunded', charge, at);
  }

  dispute(charge: Charge, at: number): Dispute {
    const dispute: Dispute = {
      id: createId('du'),
      object: 'dispute',
      amount: charge.amount,
      currency: 'usd',
      charge: charge.id,
      payment_intent: charge.payment_intent,
      reason: 'fraudulent',
      status: 'needs_response',
      created: at,
      livemode: false,
    };
    charge.disputed = true;
    this.disputes.set(dispute.id, dispute);
    this.webhooks.emit('charge.dispute.created', dispute, at, this.#origins.get(charge.customer));
    return dispute;
  }

  decide(dispute: Dispute, status: 'won' | 'lost', at: number): void {
    dispute.status = status;
    const customer = this.charges.get(dispute.charge)?.customer ?? '';
    this.webhooks.emit('charge.dispute.closed', dispute, at, this.#origins.get(customer));
  }
}
