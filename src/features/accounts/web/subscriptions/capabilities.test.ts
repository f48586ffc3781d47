import { expect, test } from 'vitest';
import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { OTHER_LIMITS, USUAL_LIMITS } from '#ui/testing/limits.ts';

import { listCapabilities } from './plan-cards.tsx';

const valuesOf = (plan: Plan, limits: PaidLimits | undefined = USUAL_LIMITS) =>
  Object.fromEntries(listCapabilities(plan, limits).map(({ name, value }) => [name, value]));

test.each([
  ['free', { History: 'The last 30 days', Exports: 'From Pro', 'API calls': 'From Pro', Webhooks: 'From Premium+' }],
  ['free', { 'Custom alert rules': 'From Pro', 'API keys': 'From Pro' }],
  ['pro', { 'Custom alert rules': 'Up to 50', 'API keys': 'Included' }],
  ['premium', { 'Custom alert rules': 'Up to 500', 'API keys': 'Included', History: 'Full history' }],
  ['admin', { 'API keys': 'Included', History: 'Full history', Webhooks: 'Included' }],
  ['admin', { 'Market alerts and notifications': 'Included' }],
  ['pro', { History: 'Full history', Exports: '20 exports a day', 'API calls': '1,000 API calls a day' }],
  ['premium', { Exports: 'Unlimited', 'API calls': '10,000 API calls a day', Webhooks: 'Included' }],
  ['admin', { Exports: 'Unlimited', 'API calls': 'Unlimited', 'Advanced analytics': 'Included' }],
] as const)('%s: matches the table of limits', (plan, values) => {
  expect(valuesOf(plan)).toMatchObject(values);
});

test('daily exports and API calls are those of this installation', () => {
  expect(valuesOf('pro', OTHER_LIMITS)).toMatchObject({
    Exports: '7 exports a day',
    'API calls': '50 API calls a day',
  });
  expect(valuesOf('premium', OTHER_LIMITS)).toMatchObject({ Exports: 'Unlimited', 'API calls': 'Unlimited' });
});
