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

/** What a session was opened for, which the API does not show. */
export type Order = {
  name: string;
  unitAmount: number;
  months: number;
  off: number;
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

/** How far a subscription has come. */
export type Course = { months: number; counted: number; name: string };
