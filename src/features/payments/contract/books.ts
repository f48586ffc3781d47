import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { sinceYearOne } from '#shared/year.ts';

/** US dollars as a decimal string with two to six decimals; a minus where it is owed or was taken. */
const usd = z.string().check(z.regex(/^-?\d+\.\d{2,6}$/));
const network = z.enum(['base', 'solana']);

const rail = z.object({
  method: z.enum(['card', 'base', 'solana']),
  /** Why nobody can pay this way; null when people can. */
  closed: z.nullable(z.string()),
  /** Where the money goes: to be compared with one's own wallet before the first payment. */
  goesTo: z.nullable(z.string()),
  /** Of a chain: the last block looked at, and when. */
  head: z.nullable(z.int()),
  lookedAt: z.nullable(z.iso.datetime()),
});

/** How the books stand: what is held, what is owed to people, what was earned. */
export const getBooks = endpoint({
  method: 'GET',
  path: '/api/admin/books',
  access: 'admin',
  reply: z.object({
    rails: z.array(rail),
    held: z.object({ base: usd, solana: usd, stripe: usd }),
    /** On the balances of all people. */
    credit: usd,
    /** Came without an owner. */
    suspense: usd,
    revenue: usd,
    /** Given by administrators. */
    goodwill: usd,
    /** Taken back by a chain after it was spent. */
    loss: usd,
    /** Sum of all postings: anything but zero is an error. */
    difference: usd,
  }),
});

export const adminPayment = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  userId: z.int(),
  /** Null when the account is gone. */
  email: z.nullable(z.string()),
  method: z.enum(['card', 'base', 'solana']),
  what: z.string(),
  due: usd,
  paid: usd,
  state: z.enum(['open', 'partial', 'paid', 'applied', 'expired', 'failed', 'refunded']),
});
export type AdminPayment = z.infer<typeof adminPayment>;

/** Newest first, 50 a page; `q` searches the address of the account and the id; `before` is the time that the next page starts below. */
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
  /** Who says that it is theirs. */
  claims: z.array(claim),
});
export type SuspenseItem = z.infer<typeof suspenseItem>;

/** Money that came without an owner, newest first. */
export const listSuspense = endpoint({
  method: 'GET',
  path: '/api/admin/suspense',
  access: 'admin',
  reply: z.array(suspenseItem),
});

const email = z.string().check(z.trim(), z.maxLength(254), z.email('Please enter a valid email address'));
const note = z.string().check(z.trim(), z.minLength(3, 'Enter a short reason'), z.maxLength(500));

/** Credits money without an owner to an account. Needs a fresh sign-in. */
export const assignSuspense = endpoint({
  method: 'POST',
  path: '/api/admin/suspense',
  access: 'admin',
  body: z.strictObject({ network, tx: z.string().check(z.maxLength(120)), idx: z.int(), email, note }),
  reply: z.object({ success: z.literal(true), credit: usd }),
});

/** Puts US dollars on an account's balance by hand, as goodwill. Needs a fresh sign-in. */
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
