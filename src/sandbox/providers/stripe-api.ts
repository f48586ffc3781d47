import { type Reply, ReplyError } from '#sandbox/provider.ts';
import { idOf } from './stripe-post.ts';
import {
  type Coupon,
  type Customer,
  type Form,
  type Order,
  type Session,
  type Subscription,
  textAt,
  textsAt,
} from './stripe-types.ts';
import type { StripeWorld } from './stripe-world.ts';

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

const missing = (what: string, id: string, param = 'id'): never =>
  refuse(`No such ${what}: '${id}'`, 'resource_missing', param, param === 'id' ? 404 : 400);

function known<T>(map: ReadonlyMap<string, T>, what: string, id: string | undefined, param?: string): T {
  const found = map.get(id ?? '');
  return found ?? missing(what, id ?? '', param);
}

function need(form: Form, path: string): string {
  const text = textAt(form, path);
  const [first = '', ...rest] = path.split('.');
  const name = first + rest.map((part) => `[${part}]`).join('');
  return text || refuse(`Missing required param: ${name}.`, 'parameter_missing', name);
}

function wholeAt(form: Form, path: string): number {
  const value = Number(need(form, path));
  return Number.isInteger(value) ? value : refuse(`Invalid integer: ${value}`, 'parameter_invalid_integer', path);
}

const listOf = <T extends { id: string }>(all: readonly T[], form: Form, url: string) => {
  const limit = Number(textAt(form, 'limit') ?? 10);
  const after = textAt(form, 'starting_after');
  const from = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  return { object: 'list', url, has_more: from + limit < all.length, data: all.slice(from, from + limit) };
};

function makeCustomer(world: StripeWorld, { form, at }: StripeCall): Customer {
  const customer: Customer = {
    id: idOf('cus'),
    object: 'customer',
    created: at,
    livemode: false,
    email: textAt(form, 'email') ?? null,
    metadata: textsAt(form, 'metadata'),
  };
  world.customers.set(customer.id, customer);
  return customer;
}

function makeCoupon(world: StripeWorld, { form, at }: StripeCall): Coupon {
  const off = wholeAt(form, 'amount_off');
  if (off < 1) refuse('This value must be greater than or equal to 1.', 'parameter_invalid_integer', 'amount_off');
  const coupon: Coupon = {
    id: idOf('co'),
    object: 'coupon',
    amount_off: off,
    currency: need(form, 'currency'),
    duration: need(form, 'duration'),
    name: textAt(form, 'name') ?? null,
    created: at,
    livemode: false,
    max_redemptions: textAt(form, 'max_redemptions') ? wholeAt(form, 'max_redemptions') : null,
    times_redeemed: 0,
    valid: true,
  };
  world.coupons.set(coupon.id, coupon);
  return coupon;
}

function orderOf(world: StripeWorld, form: Form, at: number): Order {
  const item = 'line_items.0';
  if (need(form, `${item}.price_data.recurring.interval`) !== 'month') refuse('Only months are played here');
  const coupon = textAt(form, 'discounts.0.coupon');
  const trialEnd = textAt(form, 'subscription_data.trial_end');
  if (trialEnd && Number(trialEnd) < at + MIN_TRIAL)
    refuse('The `trial_end` date has to be at least 2 days in the future.', undefined, 'subscription_data[trial_end]');
  return {
    name: need(form, `${item}.price_data.product_data.name`),
    unitAmount: wholeAt(form, `${item}.price_data.unit_amount`) * wholeAt(form, `${item}.quantity`),
    months: Number(textAt(form, `${item}.price_data.recurring.interval_count`) ?? 1),
    off: coupon ? known(world.coupons, 'coupon', coupon, 'discounts[0][coupon]').amount_off : 0,
    trialEnd: trialEnd ? Number(trialEnd) : null,
    metadata: textsAt(form, 'subscription_data.metadata'),
  };
}

function makeSession(world: StripeWorld, { form, at, origin }: StripeCall): Session {
  if (need(form, 'mode') !== 'subscription') refuse('Only subscriptions are played here', undefined, 'mode');
  const customer = known(world.customers, 'customer', need(form, 'customer'), 'customer').id;
  const successUrl = need(form, 'success_url');
  const order = orderOf(world, form, at);
  const expiresAt = Number(textAt(form, 'expires_at') ?? at + DAY);
  if (expiresAt < at + HALF_HOUR || expiresAt > at + DAY)
    refuse('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', undefined, 'expires_at');
  const total = order.trialEnd ? 0 : Math.max(0, order.unitAmount - order.off);
  if (total > 0 && total < MIN_CHARGE_CENTS)
    refuse('The Checkout Session total amount must add up to at least $0.50 usd', 'amount_too_small');
  const id = `cs_test_${idOf('x').slice(2)}`;
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
  world.follow(customer, successUrl);
  world.sessions.set(id, session);
  world.orders.set(id, order);
  return session;
}

function sessions(world: StripeWorld, call: StripeCall): object {
  const [, , id, act] = call.path;
  if (!id) return makeSession(world, call);
  const session = known(world.sessions, 'checkout.session', id);
  if (act === 'expire') {
    if (session.status !== 'open')
      refuse(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`);
    world.expire(session, call.at);
  }
  return session;
}

function subscriptions(world: StripeWorld, { method, path, form, at }: StripeCall): Subscription {
  const sub = known(world.subscriptions, 'subscription', path[1]);
  if (method === 'GET') return sub;
  if (sub.status === 'canceled') missing('subscription', sub.id);
  if (method === 'DELETE') world.end(sub, at);
  const cancel = textAt(form, 'cancel_at_period_end');
  if (method === 'POST' && cancel !== undefined) world.setCancel(sub, cancel === 'true', at);
  return sub;
}

function makePortal(world: StripeWorld, { form, at, origin }: StripeCall): object {
  const customer = known(world.customers, 'customer', need(form, 'customer'), 'customer').id;
  const id = idOf('bps');
  const returnUrl = textAt(form, 'return_url') ?? origin;
  world.portals.set(id, { customer, returnUrl });
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

function invoices(world: StripeWorld, { path, form }: StripeCall): object {
  if (path[1]) return known(world.invoices, 'invoice', path[1]);
  const [sub, customer] = [textAt(form, 'subscription'), textAt(form, 'customer')];
  const all = [...world.invoices.values()].filter(
    (each) =>
      (!sub || each.parent.subscription_details.subscription === sub) && (!customer || each.customer === customer),
  );
  return listOf(all.toReversed(), form, '/v1/invoices');
}

function invoicePayments(world: StripeWorld, { form }: StripeCall): object {
  const wanted = textAt(form, 'payment.payment_intent');
  const all = [...world.paidBy].flatMap(([invoice, id]) => {
    const charge = world.charges.get(id);
    if (!charge || (wanted && charge.payment_intent !== wanted)) return [];
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
  return listOf(all, form, '/v1/invoice_payments');
}

function makeRefund(world: StripeWorld, { form, at }: StripeCall): object {
  const charge = known(world.charges, 'charge', need(form, 'charge'), 'charge');
  const left = charge.amount - charge.amount_refunded;
  const amount = Number(textAt(form, 'amount') ?? left);
  if (left === 0) refuse(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount > left) refuse('Refund amount is greater than unrefunded amount on charge', undefined, 'amount');
  world.refund(charge, amount, at);
  return { id: idOf('re'), object: 'refund', amount, charge: charge.id, currency: 'usd', status: 'succeeded' };
}

function events(world: StripeWorld, { form }: StripeCall): object {
  const since = Number(textAt(form, 'created.gte') ?? 0);
  return listOf(world.post.events.filter(({ created }) => created >= since).toReversed(), form, '/v1/events');
}

const answers: Record<string, (world: StripeWorld, call: StripeCall) => object> = {
  'POST customers': makeCustomer,
  'GET customers/:': (world, { path }) => known(world.customers, 'customer', path[1]),
  'POST coupons': makeCoupon,
  'POST checkout/sessions': sessions,
  'GET checkout/sessions/:': sessions,
  'POST checkout/sessions/:/expire': sessions,
  'GET subscriptions/:': subscriptions,
  'POST subscriptions/:': subscriptions,
  'DELETE subscriptions/:': subscriptions,
  'POST billing_portal/sessions': makePortal,
  'GET invoices': invoices,
  'GET invoices/:': invoices,
  'GET invoice_payments': invoicePayments,
  'GET charges/:': (world, { path }) => known(world.charges, 'charge', path[1]),
  'POST refunds': makeRefund,
  'GET disputes/:': (world, { path }) => known(world.disputes, 'dispute', path[1]),
  'GET events': events,
};

const IDS = /^(?:cus|co|cs|sub|in|ch|du)_/;

export function answerOf(world: StripeWorld, call: StripeCall): Reply {
  const shape = call.path.map((part) => (IDS.test(part) ? ':' : part)).join('/');
  const answer = answers[`${call.method} ${shape}`];
  if (!answer)
    return {
      status: 404,
      body: failure(`Unrecognized request URL (${call.method}: /v1/${call.path.join('/')}).`, 'resource_missing'),
    };
  return { body: answer(world, call) };
}
