import type { Billing, BillingEntry } from '#features/payments/contract/billing.ts';

export const entryOf = (change: Partial<BillingEntry> = {}): BillingEntry => ({
  id: 'in_0000000001',
  at: '2026-11-20T09:30:00.000Z',
  title: 'Pro, 1 month by card',
  method: 'card',
  amount: '29.99',
  state: 'paid',
  receipt: '/api/billing/receipts/in_0000000001',
  ...change,
});

/** An account that has paid nothing, for tests. */
export const billingOf = (change: Partial<Billing> = {}): Billing => ({
  credit: '0.00',
  card: null,
  upcoming: [],
  canTry: true,
  entries: [],
  ...change,
});

export const cardOf = (change: Partial<NonNullable<Billing['card']>> = {}): NonNullable<Billing['card']> => ({
  plan: 'pro',
  months: 1,
  renewsAt: '2026-12-20T09:30:00.000Z',
  cancelled: false,
  pastDue: false,
  ...change,
});
