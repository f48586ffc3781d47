import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Preview, Threshold } from '#features/alerts/contract/thresholds.ts';
import { dateTime, price } from '#shared/format.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { addRule, publishQuotes, readAlerts, rule, rulesApi } from '#tests/support/own-rules.ts';
import { collectMarket } from '#tests/support/predictions.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';

const HOUR_MS = 3_600_000;
const LEAVES = { metric: 'btc_price', condition: 'leaves_range', value: 0 } as const;
const NO_RANGE = 'Bitcoin price: no open 24h range from the built-in analyst';
const patient = { timeout: 10_000 };

const s = fileProduct();
const ann = member(s, 'ann', 'premium');
let calls: ReturnType<typeof rulesApi>;
let owner: ReturnType<typeof ruleOwner>;

beforeAll(async () => {
  await collectMarket(s);
  calls = rulesApi(s, ann);
  owner = ruleOwner(s);
  await owner.takeOwnership();
});
afterAll(() => owner.stopAll());

const first = async () => (await calls.list())[0] as Threshold;
const messages = async () => (await readAlerts(s, ann.id)).map(({ message }) => message);
const preview = async () => (await calls.preview(rule(LEAVES))).json<Preview>();

test('before the first range the rule and its preview explain why they have no value', async () => {
  await addRule(calls, { ...LEAVES, name: 'Out' });
  expect(await first()).toMatchObject({ state: 'no_data', note: NO_RANGE, current: null, unit: '%' });
  expect(await preview()).toMatchObject({
    absent: 'The built-in analyst has not issued a range for this coin yet',
    points: [],
  });
  expect(statusAndMessage(await calls.add(rule({ ...LEAVES, metric: 'fear_greed' })))).toEqual([
    400,
    '"leaves its 24h range" is not available for Fear and greed index',
  ]);
});

test('a price beyond either end fires once: the alert names price, range, issue time and analyst', async () => {
  await s.job('analysis.run');
  const { range_80: range, issued_at, price: atIssue } = s.product.analysis.openRange('bitcoin') ?? {};
  const { low = 0, high = 0 } = range ?? {};
  await publishQuotes(s, { bitcoin: atIssue ?? 0, ethereum: 3000 });
  await expect.poll(async () => (await first()).state, patient).toBe('armed');
  expect((await first()).current?.value).toBeLessThan(0);
  const and = { ...LEAVES };
  await addRule(calls, { name: 'Both', metric: 'eth_price', value: 3100, options: { and, mode: 'once' } });
  const issued = `issued ${dateTime(Date.parse(issued_at ?? ''))} by the built-in analyst`;
  const is = (at: number, where: string) =>
    `Bitcoin price (${price(at)}) is ${where} its 24h 80% range of ${price(low)} to ${price(high)}, ${issued}`;

  await publishQuotes(s, { bitcoin: high * 1.01 });
  await expect.poll(messages, patient).toEqual([`Out: ${is(high * 1.01, '1.00% above')}`]);
  await publishQuotes(s, { bitcoin: high * 0.9999 });
  await publishQuotes(s, { bitcoin: high * 1.02 });
  await publishQuotes(s, { ethereum: 3200 });
  await expect.poll(async () => (await messages()).length, patient).toBe(2);
  expect((await messages())[1]).toBe(
    `Both: Ethereum price is above 3,100 (3,200.00) and ${is(high * 1.02, '2.00% above')}`,
  );

  s.advance(HOUR_MS);
  // A later analysis issues another range; the first one of the day still counts.
  await s.job('analysis.run');
  expect(s.product.analysis.openRange('bitcoin')?.issued_at).toBe(issued_at);
  await publishQuotes(s, { bitcoin: (low + high) / 2 });
  await publishQuotes(s, { bitcoin: low * 0.97 });
  await expect.poll(async () => (await messages()).length, patient).toBe(3);
  expect((await messages())[2]).toBe(`Out: ${is(low * 0.97, '3.00% below')}`);
});

test('the preview compares stored closes with the ranges open at that time', async () => {
  s.advance(4 * HOUR_MS);
  await s.job('market.backfill', { coinId: 'bitcoin' });
  const told = await preview();
  expect(told).toMatchObject({ absent: null, unit: '%', level: 0 });
  expect(told.tried).toEqual([{ source: 'OKX vs. the built-in analyst’s ranges', grain: 'hourly closes' }]);
  expect(told.points.length).toBeGreaterThan(1);
  const since = Date.parse(s.product.analysis.openRange('bitcoin')?.issued_at ?? '');
  for (const [at] of told.points) expect(at).toBeGreaterThanOrEqual(since);
});

test('an expired range is no longer used', async () => {
  s.advance(20 * HOUR_MS);
  await publishQuotes(s, { bitcoin: 1_000_000 });
  const rules = await calls.list();
  expect(rules.find(({ name }) => name === 'Out')).toMatchObject({ state: 'no_data', note: NO_RANGE, current: null });
});

test('any other coin is compared with its own range for the day, live and in the preview', async () => {
  const ofDoge = { ...LEAVES, metric: 'price:dogecoin' };
  await s.job('market.backfill', { coinId: 'dogecoin' });
  await s.job('analysis.coin-ranges');
  await expect.poll(() => s.product.analysis.openRange('dogecoin'), patient).not.toBeNull();
  const { range_80: range, issued_at = '' } = s.product.analysis.openRange('dogecoin') ?? {};
  const { low = 0, high = 0 } = range ?? {};
  await publishQuotes(s, { dogecoin: (low + high) / 2 });
  await addRule(calls, { ...ofDoge, name: 'Doge' });
  await expect.poll(async () => (await calls.list()).find(({ name }) => name === 'Doge')?.state, patient).toBe('armed');
  await publishQuotes(s, { dogecoin: high * 1.01 });
  const is = `Dogecoin price (${price(high * 1.01)}) is 1.00% above its 24h 80% range of ${price(low)} to ${price(high)}`;
  const issued = `issued ${dateTime(Date.parse(issued_at))} by the built-in analyst`;
  await expect.poll(async () => (await messages()).at(-1), patient).toBe(`Doge: ${is}, ${issued}`);
  s.advance(4 * HOUR_MS);
  await s.job('market.backfill', { coinId: 'dogecoin' });
  const tried = (await calls.preview(rule(ofDoge))).json<Preview>();
  expect(tried).toMatchObject({ absent: null });
  expect(tried.points[0]?.[0]).toBeGreaterThanOrEqual(Date.parse(issued_at));
});
