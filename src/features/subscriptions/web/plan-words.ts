import { dayOf } from '#web/ui/day.ts';

import type { Subscription } from '../contract.ts';

type Standing = Pick<Subscription, 'plan' | 'planName' | 'status' | 'currentPeriodEnd' | 'expiredAt'>;

export const STATUS_WORDS: Record<Subscription['status'], string> = {
  active: 'Active',
  cancelled: 'Cancelled',
  grace: 'In its days of grace',
  expired: 'Expired',
  none: 'No paid plan',
};

/** Until when the plan stands. */
export function periodEnd({ plan, status, currentPeriodEnd, expiredAt }: Standing): string {
  if (expiredAt && status === 'expired') return `Ended on ${dayOf(expiredAt)}`;
  if (currentPeriodEnd) return dayOf(currentPeriodEnd);
  return plan === 'free' ? 'Free of charge, without end' : 'Without end';
}

/** What is to know about the end of the plan, when there is something. */
export function endNote({
  plan,
  planName,
  status,
  currentPeriodEnd,
  expiredAt,
  needsRenewal,
  daysUntilExpiry,
}: Standing & Pick<Subscription, 'needsRenewal' | 'daysUntilExpiry'>): string | null {
  if (status === 'expired' && expiredAt)
    return `Your paid plan ended on ${dayOf(expiredAt)}. What you made with it is kept and comes back when you renew.`;
  if (status === 'cancelled' && currentPeriodEnd && plan !== 'free')
    return `${planName} is cancelled. It stays in force until ${dayOf(currentPeriodEnd)}, then your account goes on as Free.`;
  if (!needsRenewal || daysUntilExpiry === null || plan === 'free') return null;
  const days = daysUntilExpiry === 1 ? '1 day' : `${daysUntilExpiry} days`;
  return daysUntilExpiry > 0 ? `${planName} ends in ${days}.` : `${planName} ends today.`;
}

/** What deleting the account takes away of a paid plan. */
export function planThatEnds({ plan, planName, currentPeriodEnd }: Standing): string | null {
  if (plan === 'free' || plan === 'admin') return null;
  const until = currentPeriodEnd ? `, in force until ${dayOf(currentPeriodEnd)},` : '';
  return `Your ${planName} plan${until} ends with the account. A period that has begun is not refunded in part.`;
}
