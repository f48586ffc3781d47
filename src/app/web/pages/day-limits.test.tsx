// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { pricingOf } from '#features/payments/web/billing/fixtures.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { OTHER_LIMITS, USUAL_LIMITS } from '#ui/testing/limits.ts';
import { LATE } from '../testing/acts.ts';
import { eachWithItsApp, openApp } from '../testing/open-app.tsx';

eachWithItsApp();

const withLimits = (limits: PaidLimits): Record<string, Answer> => ({
  '/api/subscription/pricing': answer(pricingOf({ limits })),
  '/api/about': answer(aboutOf({ plans: { ...aboutOf().plans, limits } })),
});
const UNREAD: Record<string, Answer> = { '/api/subscription/pricing': broken, '/api/about': broken };
/** Pro calls without limit, and one export. */
const SWAPPED: PaidLimits = {
  pro: { exportsPerDay: 1, apiCallsPerDay: null },
  premium: { exportsPerDay: null, apiCallsPerDay: 200 },
};

const PLANS = '/app/subscription';
const TERMS = '/app/terms';
type Case = readonly [name: string, at: string, as: 'anonymous' | Plan, region: RegExp, words: readonly string[]];

/** With 7 exports and 50 calls for Pro, calls without limit for Premium+. */
const CASES: readonly Case[] = [
  ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel, 7 a day', '50 API calls a day, for programs']],
  ['plan Premium+', PLANS, 'free', /^Premium\+$/, ['Unlimited API calls']],
  ['questions', PLANS, 'free', /^FAQ$/, ['Pro: 50 calls a day. Premium+: calls without limit. They are']],
  ['own plan', '/app/profile?tab=subscription', 'pro', /^What Pro/, ['7 exports a day', '50 API calls a day']],
  ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['50 calls a day, without limit with Premium+']],
  ['upsell', '/app/data-export', 'free', /^Data Export$/, ['7 exports a day, no limit with Premium+']],
  ['table', '/app/data-export', 'free', /^What each plan/, ['ExportsNot included7 a dayWithout limit']],
  [
    'API',
    '/app/api',
    'anonymous',
    /^How it works$/,
    ['Pro 50 calls a day, Premium+ without limit, counted per account'],
  ],
  ['gate', '/app/auth-required?type=upgrade', 'anonymous', /^Pro plan/, ['Excel, 7 a day', '50 API calls a day,']],
  ['terms', TERMS, 'anonymous', /Plans and limits$/, ['Exports a dayNone7Unlimited', 'API calls a dayNone50Unlimited']],
];

const text = async (name: RegExp) => (await screen.findByRole('region', { name }, LATE)).textContent;

describe('limits of a day are those of this installation', () => {
  test.each(CASES)('as they are set: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: withLimits(OTHER_LIMITS) });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
  });

  test.each([
    ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel, 1 a day', 'Unlimited API calls, for programs']],
    ['questions', PLANS, 'free', /^FAQ$/, ['Pro: calls without limit. Premium+: 200 calls a day. They are']],
    ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['Unlimited API calls, 200 a day with Premium+']],
    ['upsell', '/app/data-export', 'free', /^Data Export$/, ['1 export a day, no limit with Premium+']],
    ['API', '/app/api', 'anonymous', /^How it works$/, ['Pro without limit, Premium+ 200 calls a day, counted']],
    ['terms', TERMS, 'anonymous', /Plans and limits$/, ['API calls a dayNoneUnlimited200']],
  ] as const)('without limit: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: withLimits(SWAPPED) });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
  });

  test.each([
    ['plan Pro', PLANS, 'free', /^Pro$/, ['Excel', 'API calls, for programs']],
    ['plan Premium+', PLANS, 'free', /^Premium\+$/, ['API calls']],
    ['questions', PLANS, 'free', /^FAQ$/, ['Pro and Premium+ come with API calls. They are counted']],
    ['own plan', '/app/profile?tab=subscription', 'pro', /^What Pro/, ['ExportsIncluded', 'API callsIncluded']],
    ['keys', '/app/profile?tab=api-keys', 'free', /^API Keys$/, ['API calls, counted for all keys together']],
    ['upsell', '/app/data-export', 'free', /^Data Export$/, ['Unlimited exports with Premium+']],
    ['API', '/app/api', 'anonymous', /^How it works$/, ['Calls are counted per account and UTC day.']],
    ['gate', '/app/auth-required?type=upgrade', 'anonymous', /^Pro plan/, ['API calls, for programs']],
    ['terms', TERMS, 'anonymous', /Plans and limits$/, ['API calls a dayNoneOn the plans pageOn the plans page']],
  ] as const)('no number where they cannot be read: %s', async (_, at, as, region, words) => {
    openApp({ at, as, calls: UNREAD });
    for (const each of words) await waitFor(async () => expect(await text(region)).toContain(each), LATE);
    expect(await text(region)).not.toMatch(/\b(20|1,000|10,000) (exports |API calls |calls )?a day|undefined|NaN/);
  });

  test('the same number for both plans is named once, and both without limit are said once', async () => {
    const both = (calls: number | null): PaidLimits => ({
      pro: { exportsPerDay: 20, apiCallsPerDay: calls },
      premium: { exportsPerDay: null, apiCallsPerDay: calls },
    });
    const { queries } = openApp({ at: '/app/profile?tab=api-keys', as: 'free', calls: withLimits(both(1)) });
    await waitFor(async () => expect(await text(/^API Keys$/)).toMatch(/1 call a day(?!,)/), LATE);
    queries.setQueryData(['pricing'], pricingOf({ limits: both(null) }));
    await waitFor(async () => expect(await text(/^API Keys$/)).toMatch(/Unlimited API calls(?!,)/), LATE);
    queries.setQueryData(['pricing'], pricingOf({ limits: USUAL_LIMITS }));
    await waitFor(async () => expect(await text(/^API Keys$/)).toContain('1,000 calls a day, 10,000 with'), LATE);
  });
});
