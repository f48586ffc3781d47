import { z } from 'zod/mini';

import { endpoint, plan } from '#shared/contract.ts';

const id = z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be a number')) });

export const adminUser = z.object({
  id: z.number(),
  email: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  plan,
  subscriptionStatus: z.enum(['active', 'cancelled', 'grace', 'expired', 'none']),
  createdAt: z.iso.datetime(),
});
export type AdminUser = z.infer<typeof adminUser>;

/** A list holds no more: older accounts are found by searching. */
export const MOST_USERS = 500;

/** The newest `MOST_USERS`; `q` searches the address. */
export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  query: z.object({ q: z.optional(z.string().check(z.maxLength(254))) }),
  reply: z.array(adminUser),
});

/** How many there are, also beyond `MOST_USERS`; `q` as in the list. */
export const countUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users/count',
  access: 'admin',
  query: z.object({ q: z.optional(z.string().check(z.maxLength(254))) }),
  reply: z.object({ total: z.number() }),
});

/** A fact in the ledger, written with the admin's name: it stands until `until`, or until the next one. */
export const setUserPlan = endpoint({
  method: 'PUT',
  path: '/api/admin/users/:id/plan',
  access: 'admin',
  params: id,
  body: z.strictObject({
    plan: z.enum(['free', 'pro', 'premium']),
    until: z.nullable(z.iso.datetime()),
    note: z.string().check(z.maxLength(500)),
  }),
  reply: adminUser,
});

export const outboxMail = z.object({
  id: z.number(),
  to: z.string(),
  subject: z.string(),
  kind: z.string(),
  state: z.enum(['kept', 'waiting', 'sent', 'failed']),
  note: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  sentAt: z.nullable(z.iso.datetime()),
});
export type OutboxMail = z.infer<typeof outboxMail>;

/** Newest first, 50 a page; `before` is the id that the next page starts below. */
export const listMail = endpoint({
  method: 'GET',
  path: '/api/admin/mail',
  access: 'admin',
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(254))),
    before: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a mail'))),
  }),
  reply: z.object({
    mails: z.array(outboxMail),
    /** 'outbox': nothing leaves this machine because SMTP_URL is not set (or the mode is demo). */
    delivery: z.enum(['smtp', 'outbox']),
    more: z.boolean(),
  }),
});

export const getMail = endpoint({
  method: 'GET',
  path: '/api/admin/mail/:id',
  access: 'admin',
  params: id,
  reply: z.object({ ...outboxMail.shape, html: z.string(), text: z.string() }),
});
