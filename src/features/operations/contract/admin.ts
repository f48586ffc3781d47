import { z } from 'zod/mini';
import { delivery } from '#features/notifications/contract/notifications.ts';
import { getBilling } from '#features/payments/contract/billing.ts';
import { apiScope, endpoint, plan } from '#shared/contract.ts';
import { sinceYearOne } from '#shared/year.ts';

const id = z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be a number')) });

export const adminUser = z.object({
  id: z.number(),
  email: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  plan,
  subscriptionStatus: z.enum(['active', 'cancelled', 'grace', 'expired', 'none']),
  createdAt: z.iso.datetime(),
});
export type AdminUser = z.infer<typeof adminUser>;

/** Maximum list length: older accounts are found by searching. */
export const MOST_USERS = 500;

/** The newest `MOST_USERS`; `q` searches the email address. */
export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  query: z.object({ q: z.optional(z.string().check(z.maxLength(254))) }),
  reply: z.array(adminUser),
});

/** Number of accounts, also beyond `MOST_USERS`; `q` as in the list. */
export const countUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users/count',
  access: 'admin',
  query: z.object({ q: z.optional(z.string().check(z.maxLength(254))) }),
  reply: z.object({ total: z.number() }),
});

/** Writes an entitlement fact in the admin's name, valid until `until` or the next one. */
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

/** Actor or subject of an entry; `email` is null when the account is deleted. */
const party = z.object({ id: z.int(), email: z.nullable(z.string()) });

export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** Noun and verb, such as 'session.start'. */
  action: z.string(),
  /** Null when no account was known yet, as for a refused sign-in, or when the product acted automatically. */
  actor: z.nullable(party),
  subject: z.nullable(party),
  details: z.record(z.string(), z.unknown()),
  network: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const account = z.optional(z.string().check(z.maxLength(254)));

/**
 * Newest first, 50 per page; `before` is the id the next page starts below. `action` is a full action or its noun;
 * `actor` and `subject` are an id or part of an email address; `from` and `to` are UTC days, both included.
 */
export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  access: 'admin',
  query: z.object({
    action: z.optional(z.string().check(z.regex(/^[a-z][\w.-]{0,59}$/, 'must be an action'))),
    actor: account,
    subject: account,
    from: z.optional(z.iso.date().check(sinceYearOne)),
    to: z.optional(z.iso.date().check(sinceYearOne)),
    before: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of an entry'))),
  }),
  reply: z.object({ entries: z.array(auditEntry), more: z.boolean() }),
});

const planFact = z.object({
  id: z.int(),
  /** Its origin, such as 'admin' or 'grant:trial:7'. */
  source: z.string(),
  plan,
  from: z.iso.datetime(),
  until: z.nullable(z.iso.datetime()),
  /** When it was written; a newer fact of the same source replaces it. */
  at: z.iso.datetime(),
  by: z.nullable(party),
  note: z.string(),
  inForce: z.boolean(),
});
export type PlanFact = z.infer<typeof planFact>;

export const userDetail = z.object({
  user: adminUser,
  disabled: z.nullable(z.object({ at: z.iso.datetime(), by: z.nullable(party), reason: z.string() })),
  /** Newest first. */
  facts: z.array(planFact),
  sessions: z.array(
    z.object({
      id: z.string(),
      device: z.string(),
      network: z.string(),
      createdAt: z.iso.datetime(),
      seenAt: z.iso.datetime(),
    }),
  ),
  /** As the user sees it; `receipt` is an admin URL. */
  billing: getBilling.reply,
  /** The last 50. */
  deliveries: z.array(delivery),
  /** Active keys, without any part of the key itself. */
  keys: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      scopes: z.array(apiScope),
      createdAt: z.iso.datetime(),
      lastUsed: z.nullable(z.iso.datetime()),
    }),
  ),
  twoFactor: z.boolean(),
  passkeys: z.int(),
  /** The last 50 entries about the account. */
  audit: z.array(auditEntry),
});
export type UserDetail = z.infer<typeof userDetail>;

export const getUserDetail = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id',
  access: 'admin',
  params: id,
  reply: userDetail,
});

/** A PDF of a payment of that account. */
export const getUserReceipt = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id/receipts/:receipt',
  access: 'admin',
  params: z.object({
    id: z.string().check(z.regex(/^\d{1,15}$/, 'must be a number')),
    receipt: z.string().check(z.regex(/^[\w:.-]{1,120}$/)),
  }),
  reply: z.string(),
});

/** Same as the user's own account deletion; never for an administrator. Needs a fresh sign-in. */
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  access: 'admin',
  params: id,
  reply: z.object({ message: z.string() }),
});

export const LONGEST_REASON = 500;

/**
 * Locks the account out everywhere at once; its data remains. The reason is visible to administrators. Needs a fresh
 * sign-in.
 */
export const disableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/disable',
  access: 'admin',
  params: id,
  body: z.strictObject({
    reason: z
      .string()
      .check(
        z.trim(),
        z.minLength(3, 'Enter a short reason'),
        z.maxLength(LONGEST_REASON, 'Reasons can have at most 500 characters'),
      ),
  }),
  reply: adminUser,
});

/** Needs a fresh sign-in. */
export const enableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/enable',
  access: 'admin',
  params: id,
  reply: adminUser,
});

/** Sends another link to an unconfirmed address, at most three per hour including the user's own requests. */
export const resendUserConfirmation = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/resend-confirmation',
  access: 'admin',
  params: id,
  reply: z.object({ message: z.string() }),
});

/** One session of the account, or with null all of them. */
export const endUserSessions = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/sessions/end',
  access: 'admin',
  params: id,
  body: z.strictObject({ session: z.nullable(z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a session'))) }),
  reply: z.object({ ended: z.int() }),
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

/** Newest first, 50 per page; `before` is the id the next page starts below. */
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
    /** 'outbox': no email leaves this machine because SMTP_URL is not set or the mode is demo. */
    delivery: z.enum(['smtp', 'outbox']),
    more: z.boolean(),
  }),
});

/** Needs a fresh sign-in. */
export const getMail = endpoint({
  method: 'GET',
  path: '/api/admin/mail/:id',
  access: 'admin',
  params: id,
  reply: z.object({
    ...outboxMail.shape,
    html: z.string(),
    text: z.string(),
    /** Links that would open another user's account are hidden, except in demo mode. */
    linksHidden: z.boolean(),
  }),
});
