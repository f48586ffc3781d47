import type { PaidPlan } from '#features/payments/contract/billing.ts';
import { part } from '#ui/part.tsx';

/** The price of a plan, in the line that an offer reserves for it. */
export const PlanPrice = part<{ plan: PaidPlan }>({
  name: 'The price',
  load: async () => (await import('#features/payments/web/billing/plan-price.tsx')).PlanPrice,
  loading: '\u00a0',
  failed: () => '\u00a0',
});
