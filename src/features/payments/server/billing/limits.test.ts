import { beforeAll, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import type { Pricing } from '#features/payments/contract/billing.ts';
import type { About } from '#features/site/contract/legal.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';

const ENV = { EXPORTS_PER_DAY: '7', API_CALLS_PER_DAY_PRO: '50', API_CALLS_PER_DAY_PREMIUM: '0' };

const s = fileProduct({ env: ENV });
const admin = member(s, 'admin', 'admin');
let other: Product;
beforeAll(async () => {
  other = await s.another();
  await s.job('market.collect');
});

const limitsOf = async ({ app } = s.product) =>
  (await app.inject({ url: '/api/subscription/pricing' })).json<Pricing>().limits;
const termsOf = async () => (await s.get('/api/about')).json<About>().plans.limits;
const answerOnCalls = async () =>
  /Pro: [^"]*? Calls are counted/.exec((await s.get('/app/subscription')).body)?.[0] ?? 'none';
const pricingOf = async () => {
  const { body } = await s.get('/');
  return body
    .slice(body.indexOf('id="pricing"'))
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, '|');
};

test('daily limits follow the configuration, 0 calls means unlimited', async () => {
  const limits = {
    pro: { exportsPerDay: 7, apiCallsPerDay: 50 },
    premium: { exportsPerDay: null, apiCallsPerDay: null },
  };
  expect(await limitsOf()).toEqual(limits);
  expect(await termsOf()).toEqual(limits);
});

test('the same limits appear in the usage of plan holders', async () => {
  const { pro, premium } = await limitsOf();
  for (const [plan, { apiCallsPerDay, exportsPerDay }] of [
    ['pro', pro],
    ['premium', premium],
  ] as const) {
    const who = await registerUser(s, `of-${plan}`, plan);
    expect((await who.get('/api/keys/usage')).json().limit).toBe(apiCallsPerDay);
    expect((await who.get('/api/exports/statistics')).json().perDay).toBe(exportsPerDay);
  }
});

test('a change in Settings reaches the prices of every process within a second, and pages at their next render', async () => {
  for (const [key, value, was] of [
    ['EXPORTS_PER_DAY', '1', '7'],
    ['API_CALLS_PER_DAY_PRO', '0', '50'],
    ['API_CALLS_PER_DAY_PREMIUM', '123456', '0'],
  ] as const)
    expect((await admin.put(`/api/admin/settings/${key}`, { value, was, note: '' })).statusCode).toBe(200);
  const limits = {
    pro: { exportsPerDay: 1, apiCallsPerDay: null },
    premium: { exportsPerDay: null, apiCallsPerDay: 123_456 },
  };
  expect(await limitsOf()).toEqual(limits);
  await expect.poll(() => limitsOf(other), { timeout: 1000, interval: 20 }).toEqual(limits);
  expect(await answerOnCalls()).toBe('Pro: unlimited calls. Premium+: 123,456 calls a day. Calls are counted');
  await s.product.rebuild();
  expect(await termsOf()).toEqual(limits);
  const pricing = await pricingOf();
  expect(pricing).toContain('|Data export: CSV, JSON and Excel, 1 a day|');
  expect(pricing).toContain('|Unlimited API calls, for programs and AI assistants|');
  expect(pricing).toContain('|123,456 API calls a day|');
});
