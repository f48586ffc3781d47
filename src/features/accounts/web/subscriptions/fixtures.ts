import { PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { Plan } from '#shared/contract.ts';

/** An account for tests, one per plan. */
export const subscriptionOf = (plan: Plan, change: Partial<Subscription> = {}): Subscription => ({
  id: 7,
  email: `${plan}@meridian.example`,
  pendingEmail: null,
  emailVerified: true,
  plan,
  planName: PLAN_NAMES[plan],
  status: plan === 'free' ? 'none' : 'active',
  role: plan === 'admin' ? 'admin' : 'user',
  isAdmin: plan === 'admin',
  currentPeriodEnd: null,
  needsRenewal: false,
  expiredAt: null,
  daysUntilExpiry: null,
  notifications: { email: true, push: false, telegram: false },
  createdAt: '2026-11-01T12:00:00.000Z',
  weakPassword: false,
  ...change,
});
