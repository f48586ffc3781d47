import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';

import type { StoredPayment } from './store/payments.ts';

/** 'Pro, 3 months'. */
export const planTitle = ({ plan, months }: Pick<StoredPayment, 'plan' | 'months'>): string =>
  `${PLAN_NAMES[plan]}, ${months === 1 ? '1 month' : `${months} months`}`;
