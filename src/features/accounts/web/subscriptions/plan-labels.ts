import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { dayOf } from '#ui/day.ts';

type Standing = Pick<Subscription, 'plan' | 'planName' | 'status' | 'currentPeriodEnd' | 'expiredAt'>;

export const STATUS_WORDS: Record<Subscription['status'], string> = {
  active: 'Active',
  cancelled: 'Canceled',
  grace: 'Grace period',
  expired: 'Expired',
  none: 'No paid plan',
};

/** When the plan ends. */
export function periodEnd({ plan, status, currentPeriodEnd, expiredAt }: Standing): string {
  if (expiredAt && (status === 'expired' || status === 'grace')) return `Ended on ${dayOf(expiredAt)}`;
  if (currentPeriodEnd) return dayOf(currentPeriodEnd);
  return plan === 'free' ? 'Free, no end date' : 'No end date';
}

/** Note on the end of the plan, if any. */
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
    return `Your paid plan ended on ${dayOf(expiredAt)}. Everything you created is kept and returns when you renew.`;
  if (status === 'cancelled' && currentPeriodEnd && plan !== 'free')
    return `${planName} is canceled. It stays active until ${dayOf(currentPeriodEnd)}, then your account moves to Free.`;
  if (status === 'grace' && expiredAt)
    return `${planName} ended on ${dayOf(expiredAt)} and is in its grace period. Renew now to avoid interruption.`;
  if (!needsRenewal || daysUntilExpiry === null || plan === 'free') return null;
  return `${planName} ends ${inDays(daysUntilExpiry)}.`;
}

function inDays(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'in 1 day' : `in ${days} days`;
}

/** Text of the renewal banner; null when no renewal is needed. Admins have nothing to renew. */
export function renewalNote(subscription: Subscription, nowMs: number): { title: string; text: string } | null {
  const { planName, isAdmin, role, expiredAt, needsRenewal, daysUntilExpiry } = subscription;
  if (isAdmin || role === 'admin') return null;
  if (expiredAt && Date.parse(expiredAt) <= nowMs)
    return {
      title: 'Your subscription has expired',
      text: endNote(subscription) ?? `It ended on ${dayOf(expiredAt)}.`,
    };
  if (!needsRenewal) return null;
  const when = daysUntilExpiry === null ? 'soon' : inDays(daysUntilExpiry);
  return { title: 'Your subscription is expiring soon', text: `${planName} ends ${when}.` };
}

/** Balance and card that matter when the account is deleted. */
type Money = { credit: string; card: { cancelled: boolean } | null };

/** What deleting the account forfeits of a paid plan, a card subscription and a balance; null when there is nothing. */
export function planThatEnds({ plan, planName, currentPeriodEnd }: Standing, money?: Money): string | null {
  const isPaid = plan !== 'free' && plan !== 'admin';
  const until = currentPeriodEnd ? `, active until ${dayOf(currentPeriodEnd)},` : '';
  const sentences = [
    isPaid && `Your ${planName} plan${until} ends with the account. Unused time is not refunded.`,
    money?.card && !money.card.cancelled && CARD_ENDS,
    !money && isPaid && `If you pay by card: ${CARD_ENDS.charAt(0).toLowerCase()}${CARD_ENDS.slice(1)}`,
    money && Number(money.credit) >= 0.01 && `The $${money.credit} on your balance can no longer be used after that.`,
  ].filter((sentence) => typeof sentence === 'string');
  return sentences.length > 0 ? sentences.join(' ') : null;
}

const CARD_ENDS = 'Your card subscription is canceled immediately and you won’t be charged again.';
