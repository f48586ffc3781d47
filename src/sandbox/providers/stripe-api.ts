import { type Reply, ReplyError } from '#sandbox/provider.ts';
import type { StripeState } from './stripe-state.ts';
import {
  type CheckoutOrder,
  type Coupon,
  type Customer,
  type Form,
  type Session,
  type Subscription,
  textAt,
  textsAt,
} from './stripe-types.ts';
import { createId } from './stripe-webhooks.ts';

/** One call: `at` in seconds, `origin` of the sandbox's pages. */
export type StripeCall = { method: string; path: string[]; form: Form; at: number; origin: string };

const HALF_HOUR = 1800;
const DAY = 86_400;
const MIN_TRIAL = 2 * DAY;
/** Stripe's minimum charge in US dollars, in cents. */
const MIN_CHARGE_CENTS = 50;

export const failure = (message: string, code?: string, param?: string, type = 'invalid_request_error') => ({
  error: { type, message, ...(code ? { code } : {}), ...(param ? { param } : {}) },
});

function refuse(message: string, code?: string, param?: string, status = 400): never {
  throw new ReplyError({ status, body: failure(message, code, param) });
}

const missing = (kind: string, id: string, param = 'id'): never =>
  refuse(`No such ${kind}: '${id}'`, 'resource_missing', param, param === 'id' ? 404 : 400);

function findOrRefuse<T>(map: ReadonlyMap<string, T>, kind: string, id: string | undefined, param?: string): T {
  const match = map.get(id ?? '');
  return match ?? missing(kind, id ?? '', param);
}

function requireText(form: Form, path: string): string {
  const text = textAt(form, path);
  const [first = '', ...rest] = path.split('.');
  const name = first + rest.map((part) => `[${part}]`).join('');
  return text || refuse(`Missing required param: ${name}.`, 'parameter_missing', name);
}

function requireInteger(form: Form, path: string): number {
  const value = Number(requireText(form, path));
  return Number.isInteger(value) ? value : refuse(`Invalid integer: ${value}`, 'parameter_invalid_integer', path);
}

const listReply = <T extends { id: string }>(all: readonly T[], form: Form, url: string) => {
  const limit = Number(textAt(form, 'limit') ?? 10);
  const after = textAt(form, 'starting_after');
  const from = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  return { object: 'list', url, has_more: from + limit < all.length, data: all.slice(from, from + limit) };
};

function createCustomer(state: StripeState, { form, at }: StripeCall): Customer {
  const customer: Customer = {
    id: createId('cus'),
    object: 'customer',
    created: at,
    livemode: false,
    email: textAt(form, 'email') ?? null,
    metadata: textsAt(form, 'metadata'),
  };
  state.customers.set(customer.id, customer);
  return customer;
}

function createCoupon(state: StripeState, { form, at }: StripeCall): Coupon {
  const amountOff = requireInteger(form, 'amount_off');
  if (amountOff < 1)
    refuse('This value must be greater than or equal to 1.', 'parameter_invalid_integer', 'amount_off');
  const coupon: Coupon = {
    id: createId('co'),
    object: 'coupon',
    amount_off: amountOff,
    currency: requireText(form, 'currency'),
    duration: requireText(form, 'duration'),
    name: textAt(form, 'name') ?? null,
    created: at,
    livemode: false,
    max_redemptions: textAt(form, 'max_redemptions') ? requireInteger(form, 'max_redemptions') : null,
    times_redeemed: 0,
    valid: true,
  };
  state.coupons.set(coupon.id, coupon);
  return coupon;
}

function readOrder(state: StripeState, form: Form, at: number): CheckoutOrder {
  const item = 'line_items.0';
  if (requireText(form, `${item}.price_data.recurring.interval`) !== 'month') refuse('Only months are played here');
  const coupon = textAt(form, 'discounts.0.coupon');
  const trialEnd = textAt(form, 'subscription_data.trial_end');
  if (trialEnd && Number(trialEnd) < at + MIN_TRIAL)
    refuse('The `trial_end` date has to be at least 2 days in the future.', undefined, 'subscription_data[trial_end]');
  return {
    name: requireText(form, `${item}.price_data.product_data.name`),
    unitAmount: requireInteger(form, `${item}.price_data.unit_amount`) * requireInteger(form, `${item}.quantity`),
    months: Number(textAt(form, `${item}.price_data.recurring.interval_count`) ?? 1),
    discount: coupon ? findOrRefuse(state.coupons, 'coupon', coupon, 'discounts[0][coupon]').amount_off : 0,
    trialEnd: trialEnd ? Number(trialEnd) : null,
    metadata: textsAt(form, 'subscription_data.metadata'),
  };
}

function createSession(state: StripeState, { form, at, origin }: StripeCall): Session {
  if (requireText(form, 'mode') !== 'subscription') refuse('Only subscriptions are played here', undefined, 'mode');
  const customer = findOrRefuse(state.customers, 'customer', requireText(form, 'customer'), 'customer').id;
  const successUrl = requireText(form, 'success_url');
  const order = readOrder(state, form, at);
  const expiresAt = Number(textAt(form, 'expires_at') ?? at + DAY);
  if (expiresAt < at + HALF_HOUR || expiresAt > at + DAY)
    refuse('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', undefined, 'expires_at');
  const total = order.trialEnd ? 0 : Math.max(0, order.unitAmount - order.discount);
  if (total > 0 && total < MIN_CHARGE_CENTS)
    refuse('The Checkout Session total amount must add up to at least $0.50 usd', 'amount_too_small');
  const id = `cs_test_${createId('x').slice(2)}`;
  const session: Session = {
    id,
    object: 'checkout.session',
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    url: `${origin}/stripe/pay/${id}`,
    customer,
    client_reference_id: textAt(form, 'client_reference_id') ?? null,
    metadata: textsAt(form, 'metadata'),
    amount_subtotal: order.unitAmount,
    amount_total: total,
    currency: 'usd',
    subscription: null,
    invoice: null,
    expires_at: expiresAt,
    created: at,
    livemode: false,
    success_url: successUrl,
    cancel_url: textAt(form, 'cancel_url') ?? null,
  };
  state.setWebhookOrigin(customer, successUrl);
  state.sessions.set(id, session);
  state.orders.set(id, order);
  return session;
}

function sessions(state: StripeState, call: StripeCall): object {
  const [, , id, action] = call.path;
  if (!id) return createSession(state, call);
  const session = findOrRefuse(state.sessions, 'checkout.session', id);
  if (action === 'expire') {
    if (session.status !== 'open')
      refuse(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`);
    state.expire(session, call.at);
  }
  return session;
}

function subscriptions(state: StripeState, { method, path, form, at }: StripeCall): Subscription {
  const sub = findOrRefuse(state.subscriptions, 'subscription', path[1]);
  if (method === 'GET') return sub;
  if (sub.status === 'canceled') missing('subscription', sub.id);
  if (method === 'DELETE') state.end(sub, at);
  const cancel = textAt(form, 'cancel_at_period_end');
  if (method === 'POST' && cancel !== undefined) state.setCancel(sub, cancel === 'true', at);
  return sub;
}

function createPortal(state: StripeState, { form, at, origin }: StripeCall): object {
  const customer = findOrRefuse(state.customers, 'customer', requireText(form, 'customer'), 'customer').id;
  const id = createId('bps');
  const returnUrl = textAt(form, 'return_url') ?? origin;
  state.portals.set(id, { customer, returnUrl });
  return {
    id,
    object: 'billing_portal.session',
    customer,
    created: at,
    livemode: false,
    return_url: returnUrl,
    url: `${origin}/stripe/portal/${id}`,
  };
}

function invoices(state: StripeState, { path, form }: StripeCall): object {
  if (path[1]) return findOrRefuse(state.invoices, 'invoice', path[1]);
  const [sub, customer] = [textAt(form, 'subscription'), textAt(form, 'customer')];
  const all = [...state.invoices.values()].filter(
    (each) =>
      (!sub || each.parent.subscription_details.subscription === sub) && (!customer || each.customer === customer),
  );
  return listReply(all.toReversed(), form, '/v1/invoices');
}

function invoicePayments(state: StripeState, { form }: StripeCall): object {
  const paymentIntent = textAt(form, 'payment.payment_intent');
  const all = [...state.chargeOf].flatMap(([invoice, id]) => {
    const charge = state.charges.get(id);
    if (!charge || (paymentIntent && charge.payment_intent !== paymentIntent)) return [];
    const payment = { type: 'payment_intent', payment_intent: charge.payment_intent };
    const money = { amount_paid: charge.amount, amount_requested: charge.amount, currency: 'usd' };
    const one = {
      id: `inpay_${invoice}`,
      object: 'invoice_payment',
      invoice,
      payment,
      status: 'paid',
      is_default: true,
    };
    return [{ ...one, ...money, created: charge.created, livemode: false }];
  });
  return listReply(all, form, '/v1/invoice_payments');
}

function createRefund(state: StripeState, { form, at }: StripeCall): object {
  const charge = findOrRefuse(state.charges, 'charge', requireText(form, 'charge'), 'charge');
  const refundable = charge.amount - charge.amount_refunded;
  const amount = Number(textAt(form, 'amount') ?? refundable);
  if (refundable === 0) refuse(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount > refundable) refuse('Refund amount is greater than unrefunded amount on charge', undefined, 'amount');
  state.refund(charge, amount, at);
  return { id: createId('re'), object: 'refund', amount, charge: charge.id, currency: 'usd', status: 'succeeded' };
}

function events(state: StripeState, { form }: StripeCall): object {
  const since = Number(textAt(form, 'created.gte') ?? 0);
  return listReply(state.webhooks.events.filter(({ created }) => created >= since).toReversed(), form, '/v1/events');
}

const handlers: Record<string, (state: StripeState, call: StripeCall) => object> = {
  'POST customers': createCustomer,
  'GET customers/:': (state, { path }) => findOrRefuse(state.customers, 'customer', path[1]),
  'POST coupons': createCoupon,
  'POST checkout/sessions': sessions,
  'GET checkout/sessions/:': sessions,
  'POST checkout/sessions/:/expire': sessions,
  'GET subscriptions/:': subscriptions,
  'POST subscriptions/:': subscriptions,
  'DELETE subscriptions/:': subscriptions,
  'POST billing_portal/sessions': createPortal,
  'GET invoices': invoices,
  'GET invoices/:': invoices,
  'GET invoice_payments': invoicePayments,
  'GET charges/:': (state, { path }) => findOrRefuse(state.charges, 'charge', path[1]),
  'POST refunds': createRefund,
  'GET disputes/:': (state, { path }) => findOrRefuse(state.disputes, 'dispute', path[1]),
  'GET events': events,
};

const ID_PATTERN = /^(?:cus|co|cs|sub|in|ch|du)_/;

export function handleStripeCall(state: StripeState, call: StripeCall): Reply {
  const shape = call.path.map((part) => (ID_PATTERN.test(part) ? ':' : part)).join('/');
  const handler = handlers[`${call.method} ${shape}`];
  if (!handler)
    return {
      status: 404,
      body: failure(`Unrecognized request URL (${call.method}: /v1/${call.path.join('/')}).`, 'resource_missing'),
    };
  return { body: handler(state, call) };
}
