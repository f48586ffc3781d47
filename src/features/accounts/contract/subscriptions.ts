import { z } from 'zod/mini';

import { endpoint, type Plan, plan } from '#shared/contract.ts';

/** Display names of the plans. */
export const PLAN_NAMES: Record<Plan, string> = { free: 'Free', pro: 'Pro', premium: 'Premium+', admin: 'Admin' };

/**
 * Limits of a plan on every installation; null is unlimited. The single source for checks, locks and texts. Daily
 * exports and API calls are settings of the installation: `DayLimits`.
 */
export type PlanLimits = {
  /** Days of history visible, also in the time control. */
  historyDays: number | null;
  alerts: boolean;
  customAlerts: boolean;
  /** The user's own rules; those beyond the limit are paused, not deleted. */
  alertRules: number;
  apiKeys: boolean;
  dataExport: boolean;
  advancedExport: boolean;
  advancedAnalytics: boolean;
  webhooks: boolean;
};

const PAID = { historyDays: null, alerts: true, customAlerts: true, apiKeys: true, dataExport: true } as const;
const ADVANCED = { advancedExport: true, advancedAnalytics: true, webhooks: true } as const;

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: {
    historyDays: 30,
    alerts: false,
    customAlerts: false,
    alertRules: 0,
    apiKeys: false,
    dataExport: false,
    advancedExport: false,
    advancedAnalytics: false,
    webhooks: false,
  },
  pro: {
    ...PAID,
    alertRules: 50,
    advancedExport: false,
    advancedAnalytics: false,
    webhooks: false,
  },
  premium: { ...PAID, ...ADVANCED, alertRules: 500 },
  admin: { ...PAID, ...ADVANCED, alertRules: 500 },
};

const notifications = z.strictObject({ email: z.boolean(), push: z.boolean(), telegram: z.boolean() });

/** The caller's account and plan: data for the header, sidebar, plan badge and profile. */
export const subscription = z.object({
  id: z.number(),
  email: z.string(),
  /** A new address pending confirmation. */
  pendingEmail: z.nullable(z.string()),
  emailVerified: z.boolean(),
  plan,
  planName: z.string(),
  /** 'grace': the paid period has ended, and the plan continues for a few days. */
  status: z.enum(['active', 'cancelled', 'grace', 'expired', 'none']),
  role: z.enum(['user', 'admin']),
  isAdmin: z.boolean(),
  currentPeriodEnd: z.nullable(z.iso.datetime()),
  needsRenewal: z.boolean(),
  expiredAt: z.nullable(z.iso.datetime()),
  daysUntilExpiry: z.nullable(z.number()),
  notifications,
  createdAt: z.iso.datetime(),
  /** The password is easy to guess and there is no second factor. */
  weakPassword: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/subscription',
  access: 'free',
  reply: subscription,
});

/** `currentPassword` is required for a new address when the last proof is older than 15 minutes. */
export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/profile',
  access: 'free',
  body: z.strictObject({
    email: z.string().check(z.trim(), z.maxLength(254), z.email('Please enter a valid email address')),
    notifications,
    currentPassword: z.optional(z.string().check(z.maxLength(1000))),
  }),
  reply: z.object({
    ...subscription.shape,
    /** Demo mode only: where to read the email to a new address. */
    demoMail: z.optional(z.string()),
  }),
});

/** Discards the address pending confirmation. */
export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/profile/pending-email',
  access: 'free',
  reply: subscription,
});
