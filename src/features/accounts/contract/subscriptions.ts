import { z } from 'zod/mini';

import { endpoint, type Plan, plan } from '#shared/contract.ts';

/** Every plan by the name people read. */
export const PLAN_NAMES: Record<Plan, string> = { free: 'Free', pro: 'Pro', premium: 'Premium+', admin: 'Admin' };

/**
 * What a plan allows wherever it runs; null is without limit. Every check, lock and text reads it here. Exports and
 * API calls a day are settings of the installation: `DayLimits`.
 */
export type PlanLimits = {
  /** Days of past that history and the time control show. */
  historyDays: number | null;
  alerts: boolean;
  customAlerts: boolean;
  /** Rules of one's own; those beyond it are paused, not lost. */
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

/** The caller's account and plan: what the header, the sidebar, the plan badge and the profile are drawn from. */
export const subscription = z.object({
  id: z.number(),
  email: z.string(),
  /** A new address that waits for its confirmation. */
  pendingEmail: z.nullable(z.string()),
  emailVerified: z.boolean(),
  plan,
  planName: z.string(),
  /** 'grace': the paid time has ended, and the plan works on for some days. */
  status: z.enum(['active', 'cancelled', 'grace', 'expired', 'none']),
  role: z.enum(['user', 'admin']),
  isAdmin: z.boolean(),
  currentPeriodEnd: z.nullable(z.iso.datetime()),
  needsRenewal: z.boolean(),
  expiredAt: z.nullable(z.iso.datetime()),
  daysUntilExpiry: z.nullable(z.number()),
  notifications,
  createdAt: z.iso.datetime(),
  /** Its password is easy to guess, and no second factor is on. */
  weakPassword: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/subscription',
  access: 'free',
  reply: subscription,
});

/** `currentPassword` is needed for a new address when the last proof is older than 15 minutes. */
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
    /** Demo mode only: where the mail to a new address can be read. */
    demoMail: z.optional(z.string()),
  }),
});

/** The address that waits for its confirmation is forgotten. */
export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/profile/pending-email',
  access: 'free',
  reply: subscription,
});
