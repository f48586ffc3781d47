import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/** The plans that cost money. */
export const paidPlan = z.enum(['pro', 'premium']);
export type PaidPlan = z.infer<typeof paidPlan>;

/** US dollars as a decimal string with two to six decimals, such as '29.99' or '85.4715'. */
const usd = z.string().check(z.regex(/^-?\d+\.\d{2,6}$/));

const price = z.object({
  /** Price of the next month for a new buyer, US dollars. */
  currentPrice: z.number(),
  /** US dollars per month without the first-month discount. */
  originalPrice: z.number(),
  hasDiscount: z.boolean(),
  /** Whole percent. */
  discountPercentage: z.number(),
});
export type Price = z.infer<typeof price>;

const dayLimits = z.object({ exportsPerDay: z.nullable(z.int()), apiCallsPerDay: z.nullable(z.int()) });
/** Per UTC day, as currently enforced; null means unlimited. */
export const paidLimits = z.object({ pro: dayLimits, premium: dayLimits });

/** Null when available; otherwise the reason shown to the user. */
const closed = z.nullable(z.string());

export const getPricing = endpoint({
  method: 'GET',
  path: '/api/subscription/pricing',
  access: 'public',
  reply: z.object({
    free: price,
    pro: price,
    premium: price,
    /** Whether the first month is discounted. */
    discountActive: z.boolean(),
    /** Prepaid months and their discount as a fraction, such as 0.05. */
    terms: z.array(z.object({ months: z.int(), discount: z.number() })),
    trialDays: z.int(),
    graceDays: z.int(),
    /** True while Pro and Premium+ are not on sale. */
    comingSoon: z.boolean(),
    limits: paidLimits,
    methods: z.object({ card: closed, base: closed, solana: closed }),
  }),
});
export type Pricing = z.infer<(typeof getPricing)['reply']>;

export const renewalOption = z.object({
  months: z.int(),
  /** Total in US dollars. */
  price: z.number(),
  /** Fraction, such as 0.05. */
  discount: z.number(),
});

export const getRenewalInfo = endpoint({
  method: 'GET',
  path: '/api/subscribe/renewal-info',
  access: 'free',
  reply: z.object({
    planName: z.string(),
    /** The plan that has expired or is about to; Pro for an account that never had one. */
    expiredPlan: paidPlan,
    renewalOptions: z.array(renewalOption),
  }),
});
export type RenewalInfo = z.infer<(typeof getRenewalInfo)['reply']>;

/** Starts the Pro trial: once per account, no card required. */
export const startTrial = endpoint({
  method: 'POST',
  path: '/api/subscribe/trial',
  access: 'free',
  reply: z.object({ success: z.literal(true), endsAt: z.iso.datetime() }),
});

const billingEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** 'Pro, 3 months by card', 'Refund', 'Credit for the rest of Pro' … */
  title: z.string(),
  method: z.enum(['card', 'base', 'solana', 'credit', 'none']),
  /** Amount paid; negative for a refund. */
  amount: usd,
  state: z.enum(['paid', 'open', 'failed', 'refunded', 'given', 'expired']),
  /** Address of the receipt; null where there is none. */
  receipt: z.nullable(z.string()),
});
export type BillingEntry = z.infer<typeof billingEntry>;

/** Content of the Billing Information section of the profile. */
export const getBilling = endpoint({
  method: 'GET',
  path: '/api/billing',
  access: 'free',
  reply: z.object({
    /** Account balance; applied to the next purchase. */
    credit: usd,
    /** The card subscription that renews automatically; null when there is none. */
    card: z.nullable(
      z.object({
        plan: paidPlan,
        months: z.int(),
        renewsAt: z.nullable(z.iso.datetime()),
        cancelled: z.boolean(),
        /** The last charge was declined. */
        pastDue: z.boolean(),
      }),
    ),
    /** Plans that are paid for and have not started. */
    upcoming: z.array(z.object({ plan: paidPlan, startsAt: z.iso.datetime(), endsAt: z.iso.datetime() })),
    canTry: z.boolean(),
    /** Newest first. */
    entries: z.array(billingEntry),
  }),
});
export type Billing = z.infer<(typeof getBilling)['reply']>;

/** A PDF. `id` is the id of a billing history entry. */
export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/billing/receipts/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^[\w:.-]{1,120}$/)) }),
  reply: z.string(),
});
