import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';

const DAY_MS = 86_400_000;

/** An earlier moment may be shown when it has come, and as far back as the plan goes. */
export function checkMoment(moment: Date, now: Date, plan: Plan | null): void {
  const ageMs = now.getTime() - moment.getTime();
  const days = PLAN_LIMITS[plan ?? 'free'].historyDays;
  if (ageMs < 0) throw new AppError('bad_request', 'This time is in the future');
  if (days !== null && ageMs > days * DAY_MS)
    throw new AppError('upgrade_required', `Your plan includes the last ${days} days. Pro includes full history.`);
}
