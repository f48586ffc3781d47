export type Card = 'good' | 'refused';

export type Customer = {
  id: string;
  object: 'customer';
  created: number;
  livemode: false;
  email: string | null;
  metadata: Record<string, string>;
};

export type Coupon = {
  id: string;
  object: 'coupon';
  amount_off: number;
  currency: string;
  duration: string;
  name: string | null;
  created: number;
  livemode: false;
  max_redemptions: number | null;
  times_redeemed: number;
  valid: boolean;
};

export type Session = {
  id: string;
  object: 'checkout.session';
  mode: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  url: string | null;
  customer: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  subscription: string | null;
  invoice: string | null;
  expires_at: number;
  created: number;
  livemode: false;
  success_url: string;
  cancel_url: string | null;
};

/** The purpose of a session, which the API does not show. */
export type CheckoutOrder = {
  name: string;
  unitAmount: number;
  months: number;
  discount: number;
  trialEnd: number | null;
  metadata: Record<string, string>;
};

export type Subscription = {
  id: string;
  object: 'subscription';
  customer: string;
  status: 'active' | 'trialing' | 'past_due' | 'canceled';
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  canceled_at: number | null;
  ended_at: number | null;
  created: number;
  billing_cycle_anchor: number;
  trial_end: number | null;
  livemode: false;
  metadata: Record<string, string>;
  latest_invoice: string | null;
  items: {
    object: 'list';
    data: [
      {
        id: string;
        object: 'subscription_item';
        quantity: 1;
        current_period_start: number;
        current_period_end: number;
        price: {
          id: string;
          object: 'price';
          unit_amount: number;
          currency: string;
          recurring: { interval: 'month'; interval_count: number };
        };
      },
    ];
  };
};

export type Invoice = {
  id: string;
  object: 'invoice';
  number: string;
  customer: string;
  status: 'open' | 'paid' | 'void';
  subtotal: number;
  total: number;
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  currency: string;
  billing_reason: 'subscription_create' | 'subscription_cycle';
  created: number;
  attempt_count: number;
  next_payment_attempt: number | null;
  livemode: false;
  hosted_invoice_url: string;
  status_transitions: { finalized_at: number; paid_at: number | null };
  parent: {
    type: 'subscription_details';
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
  lines: {
    object: 'list';
    data: { id: string; object: 'line_item'; amount: number; period: { start: number; end: number } }[];
  };
};

export type Charge = {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  currency: string;
  customer: string;
  payment_intent: string;
  status: 'succeeded';
  created: number;
  livemode: false;
};

export type Dispute = {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'won' | 'lost';
  created: number;
  livemode: false;
};

/** Progress of a subscription. */
export type SubscriptionProgress = { months: number; billedMonths: number; name: string };

export type Form = { [name: string]: FormValue };
export type FormValue = string | Form | FormValue[];

/** 'a[b][0][c]=d' becomes { a: { b: [{ c: 'd' }] } }, as Stripe parses bodies and queries. */
export function parseForm(encoded: string | URLSearchParams): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    let node = root;
    for (const [i, part] of path.entries()) {
      if (i === path.length - 1) node[part] = value;
      else node = (node[part] ??= {}) as Form;
    }
  }
  return toLists(root) as Form;
}

function toLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, toLists(each)] as const);
  const isList = entries.length > 0 && entries.every(([name], i) => name === String(i));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** The text at a path such as 'line_items.0.quantity'; undefined when absent. */
export function textAt(form: Form, path: string): string | undefined {
  let node: FormValue | undefined = form;
  for (const part of path.split('.')) {
    if (node === undefined || typeof node === 'string') return undefined;
    node = (node as Form)[part];
  }
  return typeof node === 'string' ? node : undefined;
}

/** The texts below a path, such as the metadata. */
export function textsAt(form: Form, path: string): Record<string, string> {
  let node: FormValue | undefined = form;
  for (const part of path.split('.')) {
    if (node === undefined || typeof node === 'string') return {};
    node = (node as Form)[part];
  }
  if (node === undefined || typeof node === 'string') return {};
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, each]) => (typeof each === 'string' ? [[name, each]] : [])),
  );
}

/** Seconds; keeps the anchor's day, clamped to the end of the month. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const shifted = new Date(anchor * 1000);
  shifted.setUTCDate(1);
  shifted.setUTCMonth(month);
  shifted.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return shifted.getTime() / 1000;
}
