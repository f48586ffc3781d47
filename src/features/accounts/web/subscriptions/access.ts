import type { Plan } from '#shared/contract.ts';

import type { Account } from './use-subscription.ts';

const RANK: Record<Plan, number> = { free: 0, pro: 1, premium: 2, admin: 3 };

/** The plan of a known account; role admin, isAdmin or plan admin make an admin. */
export function accountPlan(account: Account): Plan | null {
  if (account.state !== 'known') return null;
  const { plan, role, isAdmin } = account.subscription;
  return isAdmin || role === 'admin' ? 'admin' : plan;
}

export const includesPlan = (plan: Plan | null, access: Plan): boolean => plan !== null && RANK[plan] >= RANK[access];
