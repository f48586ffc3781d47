import { readAccount } from '#features/api/contract.ts';
import { PLAN_NAMES } from '#features/subscriptions/contract.ts';

import { type ApiCall, apiCall } from '../call.ts';

export const accountCalls = (): ApiCall[] => [
  apiCall(readAccount, {
    tag: 'Account',
    summary: 'The plan behind the key, and what the key may do',
    about:
      'The plan of the owner and the scopes of the key. How many calls are left stands in the RateLimit header of every answer.',
    answer: ({ caller: { plan, scopes } }) => ({
      subscriptionStatus: { plan, planName: PLAN_NAMES[plan] },
      scopes: [...scopes],
    }),
  }),
];
