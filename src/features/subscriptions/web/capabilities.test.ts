import { expect, test } from 'vitest';

import { capabilitiesOf } from './capabilities.ts';

const valuesOf = (plan: Parameters<typeof capabilitiesOf>[0]) =>
  Object.fromEntries(capabilitiesOf(plan).map(({ name, value }) => [name, value]));

test.each([
  ['free', { History: 'The last 30 days', Exports: 'From Pro', 'API calls': 'From Pro', Webhooks: 'From Premium+' }],
  ['free', { 'Rules of your own': 'From Pro', 'API keys': 'From Pro' }],
  ['pro', { 'Rules of your own': 'Up to 50', 'API keys': 'Included' }],
  ['premium', { 'Rules of your own': 'Up to 500' }],
  ['pro', { History: 'Everything that is stored', Exports: '20 exports a day', 'API calls': '1,000 API calls a day' }],
  ['premium', { Exports: 'Without limit', 'API calls': '10,000 API calls a day', Webhooks: 'Included' }],
  ['admin', { Exports: 'Without limit', 'API calls': 'Without limit', 'Advanced analytics': 'Included' }],
] as const)('%s: as the table of limits says', (plan, values) => {
  expect(valuesOf(plan)).toMatchObject(values);
});
