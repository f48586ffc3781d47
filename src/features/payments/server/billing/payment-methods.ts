import type { Billing, BillingEntry } from '#features/payments/contract/billing.ts';

/** What a receipt says. */
export type Receipt = {
  /** Runs on without gaps per way, such as 'M-C-000123'. */
  number: string;
  at: Date;
  /** Lines of what was bought, with the amounts as decimal strings. */
  lines: readonly (readonly [what: string, usd: string])[];
  total: string;
  /** 'Card', 'USDC on Base, transaction 0x…'. */
  paidBy: string;
};

/** A way to pay, as billing sees it. */
export type PaymentMethod = {
  /** Of each method: null when it can be used, else why not. */
  methods: () => Partial<Record<'card' | 'base' | 'solana', string | null>>;
  entriesOf: (userId: number) => Promise<BillingEntry[]>;
  /** Undefined when that id is not of this way or of somebody else. */
  findReceipt: (userId: number, id: string) => Promise<Receipt | undefined>;
};

export type CardStanding = NonNullable<Billing['card']>;

/** The card subscription of an account that goes on by itself or is about to end; null when there is none. */
export type CardOf = (userId: number) => Promise<CardStanding | null>;
