import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { sinceYearOne } from '#shared/year.ts';

/** US dollars as a decimal string with two to six decimals; negative for amounts owed or withdrawn. */
const usd = z.string().check(z.regex(/^-?\d+\.\d{2,6}$/));
const network = z.enum(['base', 'solana']);

const rail = z.object({
  method: z.enum(['card', 'base', 'solana']),
  /** Why this payment method is unavailable; null when it is available. */
  closed: z.nullable(z.string()),
  /**
   * Where the money is sent, so that the administrator can compare it with their own wallet before the first payment.
   */
  goesTo: z.nullable(z.string()),
  /** For a chain: the last block scanned, and when. */
  head: z.nullable(z.int()),
  lookedAt: z.nullable(z.iso.datetime()),
});

/** Ledger totals: assets held, balances owed to users, revenue. */
export const getBooks = endpoint({
  method: 'GET',
  path: '/api/admin/books',
  access: 'admin',
  reply: z.object({
    rails: z.array(rail),
    held: z.object({ base: usd, solana: usd, stripe: usd }),
    /** On all user balances. */
    credit: usd,
    /** Received but not matched to an account. */
    suspense: usd,
    revenue: usd,
    /** Credited by administrators. */
    goodwill: usd,
    /** Reversed by a chain after it was spent. */
    loss: usd,
    /** Sum of all postings: anything but zero is an error. */
    difference: usd,
  }),
});

export const adminPayment = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  userId: z.int(),
  /** Null when the account has been deleted. */
  email: z.nullable(z.string()),
  method: z.enum(['card', 'base', 'solana']),
  what: z.string(),
  due: usd,
  paid: usd,
  state: z.enum(['open', 'partial', 'paid', 'applied', 'expired', 'failed', 'refunded']),
});
export type AdminPayment = z.infer<typeof adminPayment>;

/**
 * Newest first, 50 per page; `q` searches account email and payment id; `before` is the time the next page starts
 * before.
 */
export const listPayments = endpoint({
  method: 'GET',
  path: '/api/admin/payments',
  access: 'admin',
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(254))),
    before: z.optional(z.iso.datetime().check(sinceYearOne)),
  }),
  reply: z.object({ payments: z.array(adminPayment), more: z.boolean() }),
});

const claim = z.object({
  id: z.int(),
  userId: z.int(),
  email: z.nullable(z.string()),
  wallet: z.string(),
  createdAt: z.iso.datetime(),
});

export const suspenseItem = z.object({
  network,
  tx: z.string(),
  idx: z.int(),
  at: z.iso.datetime(),
  amount: usd,
  sender: z.string(),
  /** Accounts that claim it. */
  claims: z.array(claim),
});
export type SuspenseItem = z.infer<typeof suspenseItem>;

/** Deposits not matched to an account, newest first. */
export const listSuspense = endpoint({
  method: 'GET',
  path: '/api/admin/suspense',
  access: 'admin',
  reply: z.array(suspenseItem),
});

const email = z.string().check(z.trim(), z.maxLength(254), z.email('Please enter a valid email address'));
const note = z.string().check(z.trim(), z.minLength(3, 'Enter a short reason'), z.maxLength(500));

/** Credits an unmatched deposit to an account. Needs a fresh sign-in. */
export const assignSuspense = endpoint({
  method: 'POST',
  path: '/api/admin/suspense',
  access: 'admin',
  body: z.strictObject({ network, tx: z.string().check(z.maxLength(120)), idx: z.int(), email, note }),
  reply: z.object({ success: z.literal(true), credit: usd }),
});

/** Credits US dollars to an account as goodwill. Needs a fresh sign-in. */
export const addCredit = endpoint({
  method: 'POST',
  path: '/api/admin/credits',
  access: 'admin',
  body: z.strictObject({
    email,
    amount: z.string().check(z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter an amount in US dollars, such as 29.99')),
    note,
  }),
  reply: z.object({ success: z.literal(true), credit: usd }),
});

export type Books = z.infer<(typeof getBooks)['reply']>;
export type ListedPayments = z.infer<(typeof listPayments)['reply']>;
