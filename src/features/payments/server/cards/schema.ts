import type { Generated } from 'kysely';

type Plan = 'pro' | 'premium';

type CardCustomersTable = { user_id: number; customer_id: string };

type CardSubscriptionsTable = {
  id: string;
  user_id: number;
  customer_id: string;
  plan: Plan;
  months: number;
  /** Stripe's status: 'active', 'trialing', 'past_due', 'canceled' … */
  status: string;
  period_end: string | null;
  cancel_at_period_end: boolean;
  created_at: string;
  updated_at: string;
  checkout_id: string | null;
  /** Incremented with every reading that is stored; a reading that began before the last one is discarded. */
  version: Generated<number>;
};

type CardCheckoutsTable = {
  id: string;
  user_id: number;
  plan: Plan;
  months: number;
  /** Micro-dollars: each period, the first period before credit, and the credit the first period relies on. */
  regular: number;
  price: number;
  credit_used: number;
  /** Micro-dollars credited for Pro at `quoted_at`. */
  proration: number;
  /** The end of the Premium+ that Pro waits for; null when it starts with the payment. */
  starts_at: string | null;
  quoted_at: string;
  expires_at: string;
  /** 'short': it was paid after the credit it relied on had been used elsewhere, so the payment became credit. */
  state: 'open' | 'closed' | 'paid' | 'short';
  session_id: string | null;
  url: string | null;
};

type CardEventsTable = { id: string; type: string; created_at: string; received_at: string };

type CardReplaysTable = { one: Generated<boolean>; until: string };

type CardInvoicesTable = {
  id: string;
  user_id: number;
  subscription_id: string | null;
  /** Stripe's status: 'open', 'paid', 'void' … */
  status: string;
  units_paid: number;
  units_refunded: Generated<number>;
  paid_at: string | null;
  created_at: string;
  number: string | null;
  hosted_url: string | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    card_customers: CardCustomersTable;
    card_subscriptions: CardSubscriptionsTable;
    card_checkouts: CardCheckoutsTable;
    card_events: CardEventsTable;
    card_replays: CardReplaysTable;
    card_invoices: CardInvoicesTable;
  }
}
