import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { grantTo } from '#tests/support/grants.ts';
import { callsOf, rule } from '#tests/support/own-rules.ts';
import { person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;
let s: Started;
beforeAll(async () => {
  s = await start({ env: { EMAIL_CONFIRMATION: 'off' } });
  await s.job('market.listing');
});
afterAll(() => s.stop());

test('a plan works on through its grace, then is free: rules are paused, not deleted, and come back with renewal', async () => {
  const ann = await person(s, 'ann');
  const calls = callsOf(s, ann);
  const paused = async () => {
    await s.job('alerts.plans');
    const rows = await s.product.billing.db
      .selectFrom('alert_rules')
      .select(['name', 'paused'])
      .where('user_id', '=', ann.id)
      .orderBy('position')
      .execute();
    return rows.map(({ name, paused: by }) => `${name}: ${by}`);
  };
  const standing = async () => {
    const { plan, status, needsRenewal, expiredAt, daysUntilExpiry } = (await ann.get('/api/subscription')).json();
    return { plan, status, needsRenewal, expiredAt, daysUntilExpiry };
  };
  await grantTo(s, ann);
  const end = '2026-12-20T12:00:00.000Z';
  await calls.save([rule({ name: 'one' }), rule({ name: 'two', value: 91_000 })]);
  expect(await paused()).toEqual(['one: null', 'two: null']);

  s.advance(24 * DAY_MS);
  const near = { plan: 'pro', status: 'active', needsRenewal: true, expiredAt: null, daysUntilExpiry: 6 };
  expect(await standing()).toEqual(near);
  // The session is extended after the answer: six days later it would have ended.
  const seen = s.product.billing.db.selectFrom('sessions').select('seen_at').where('user_id', '=', ann.id);
  const seenAt = async () => Date.parse((await seen.executeTakeFirstOrThrow()).seen_at);
  await expect.poll(seenAt).toBe(s.clock.now().getTime());
  s.advance(6 * DAY_MS);
  const over = { needsRenewal: true, expiredAt: end, daysUntilExpiry: null };
  expect(await standing()).toEqual({ plan: 'pro', status: 'grace', ...over });
  expect(await paused()).toEqual(['one: null', 'two: null']);
  expect((await calls.list()).map(({ name }) => name)).toEqual(['one', 'two']);

  s.advance(3 * DAY_MS);
  expect(await standing()).toEqual({ plan: 'free', status: 'expired', ...over });
  expect((await calls.ask('GET', '')).statusCode).toBe(403);
  expect(await paused()).toEqual(['one: plan', 'two: plan']);

  await grantTo(s, ann, { months: 3 });
  await expect.poll(async () => (await calls.ask('GET', '')).statusCode).toBe(200);
  expect(await standing()).toMatchObject({ plan: 'pro', status: 'active', needsRenewal: false, expiredAt: null });
  expect(await paused()).toEqual(['one: null', 'two: null']);
  expect((await calls.list()).map(({ name }: Threshold) => name)).toEqual(['one', 'two']);
});
