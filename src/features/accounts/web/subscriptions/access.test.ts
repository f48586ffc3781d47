import { expect, test } from 'vitest';

import type { Plan } from '#shared/contract.ts';

import { includesPlan } from './access.ts';

const PLANS: readonly Plan[] = ['free', 'pro', 'premium', 'admin'];

test.each<[Plan | null, number]>([
  [null, 0],
  ['free', 1],
  ['pro', 2],
  ['premium', 3],
  ['admin', 4],
])('%s grants its own level, and nothing above', (plan, count) => {
  expect(PLANS.filter((access) => includesPlan(plan, access))).toEqual(PLANS.slice(0, count));
});
