import type { PaidPlan } from '../plan-periods.ts';

/** What every mail about a plan is filled with. */
export type PlanMail = {
  to: string;
  plan: PaidPlan;
  /** To the page of plans or the subscription in the profile. */
  link: string;
};

/** 'within a day', 'in 6 days' */
export const inDays = (days: number): string => (days <= 1 ? 'within a day' : `in ${days} days`);

export const KEPT =
  'Everything you created is kept. Rules beyond the Free plan are paused, not deleted, and resume when you renew.';
