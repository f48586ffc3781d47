import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { PaidPlan } from '#features/payments/contract/billing.ts';

const KEY = 'checkout';

/** The purchase when the browser left for the checkout, and the state of the account at that time. */
export type Checkout = { planId: PaidPlan; months: number; plan: string; until: string | null };

export function rememberCheckout(planId: PaidPlan, months: number, { plan, currentPeriodEnd }: Subscription): void {
  const checkout: Checkout = { planId, months, plan, until: currentPeriodEnd };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(checkout));
  } catch {
    // Without it, any paid plan counts as the purchased one.
  }
}

export function readCheckout(): Checkout | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Checkout | null;
  } catch {
    return null;
  }
}

export function clearCheckout(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Whether the account has the plan the checkout was for. */
export function hasPlanStarted({ plan, currentPeriodEnd }: Subscription, before: Checkout | null): boolean {
  if (plan !== 'pro' && plan !== 'premium') return false;
  if (!before) return true;
  return plan === before.planId && (plan !== before.plan || currentPeriodEnd !== before.until);
}
