import { AppError } from '#kernel/errors.ts';

import type { PaidPlan, Period } from '../plan-periods.ts';

/** Nobody pays for Pro a second time while one waits for the end of Premium+. */
export function refuseQueued(plan: PaidPlan, periods: readonly Period[], now: Date): void {
  const at = now.getTime();
  const premium = periods.some((each) => each.plan === 'premium' && each.start <= at && each.cut > at);
  const queued = periods.some((each) => each.plan === 'pro' && each.start > at && each.cut > each.start);
  if (plan === 'pro' && premium && queued)
    throw new AppError('conflict', 'Pro is already paid for and starts when Premium+ ends.');
}
