import type { Standing } from '#features/subscriptions/server/service.ts';

import { GRACE_MS, type PaidPlan, type Period } from './plan-periods.ts';
import type { CardStanding } from './ways.ts';

const DAY_MS = 86_400_000;
/** What ended longer ago is no news. */
export const NEWS_DAYS = 7;
/** The first notice before an end. */
export const AHEAD_DAYS = 7;
const LAST_DAYS = 1;
const TRIAL_DAYS = 2;

export type Notice = {
  kind: 'trial-ends' | 'trial-ended' | 'plan-ends' | 'plan-ends-soon' | 'grace-begun' | 'plan-ended';
  plan: PaidPlan;
  end: Date;
  /** Days that are left, rounded up; 0 after the end. */
  days: number;
};

type Known = { periods: readonly Period[]; standing: Standing; card: CardStanding | null; now: Date };

/**
 * What a person is to be told now of the end of their last plan; null when there is nothing, as when the card renews it, another plan
 * follows, or one that an administrator has set goes on. The card is asked some time after the end: until then it counts as renewing.
 */
export function noticeDue({ periods, standing, card, now }: Known): Notice | null {
  const counting = periods.filter(({ start, cut }) => cut > start);
  const last = counting.toSorted((a, b) => b.cut - a.cut)[0];
  if (!last) return null;
  const left = last.cut - now.getTime();
  const renews = card !== null && !card.cancelled && !card.pastDue;
  if (renews || isOutlasted(standing, last.cut)) return null;
  const told = { plan: last.plan, end: new Date(last.cut), days: Math.max(0, Math.ceil(left / DAY_MS)) };
  const kind = left > 0 ? kindBefore(last, left) : kindAfter(last, -left, standing);
  return kind && { kind, ...told };
}

/** Somebody else has given more than was bought. */
function isOutlasted({ plan, status, currentPeriodEnd }: Standing, end: number): boolean {
  if (plan === 'free' || status === 'grace') return false;
  return currentPeriodEnd === null || currentPeriodEnd.getTime() > end;
}

const isTrial = ({ source }: Period) => source.startsWith('trial:');

function kindBefore(last: Period, left: number): Notice['kind'] | null {
  if (isTrial(last)) return left <= TRIAL_DAYS * DAY_MS ? 'trial-ends' : null;
  if (left <= LAST_DAYS * DAY_MS) return 'plan-ends-soon';
  return left <= AHEAD_DAYS * DAY_MS ? 'plan-ends' : null;
}

function kindAfter(last: Period, ago: number, { plan, status }: Standing): Notice['kind'] | null {
  if (status === 'grace') return 'grace-begun';
  if (plan !== 'free' || ago > NEWS_DAYS * DAY_MS + GRACE_MS) return null;
  return isTrial(last) ? 'trial-ended' : 'plan-ended';
}
