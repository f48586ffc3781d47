import { beforeAll, describe, expect, test } from 'vitest';

import { addFact } from '#features/accounts/server/subscriptions/service.ts';
import { fileProduct } from '#tests/support/file-product.ts';
import { grantTo } from '#tests/support/grants.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { callsOf, rule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { NOON } from '#tests/support/start.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });
beforeAll(async () => {
  await s.job('market.listing');
});

/** The subjects of the notices of some days, with the day; asked for once a day. */
async function noticesOver(days: number, people: Person[]): Promise<string[][]> {
  const began = s.clock.now().getTime();
  const told = people.map(() => [] as string[]);
  const counts = await Promise.all(people.map(async ({ email }) => (await mailsTo(s, email)).length));
  for (let hours = 0; hours <= days * 24; hours += 24) {
    s.clock.set(new Date(began + hours * HOUR_MS));
    await s.product.scheduler.runByHand('billing.notices');
    for (const [i, { email }] of people.entries()) {
      const mails = await mailsTo(s, email);
      for (const { subject } of mails.slice(counts[i])) told[i]?.push(`${hours / 24}: ${subject}`);
      counts[i] = mails.length;
    }
  }
  return told;
}

describe('notices about the end of a plan', () => {
  test('each is told once: a week and a day before, at its end with the grace, and when the grace is over', async () => {
    const ann = await person(s, 'ann');
    const ben = await person(s, 'ben');
    const cat = await person(s, 'cat');
    await grantTo(s, ann);
    await grantTo(s, ben, { plan: 'premium' });
    await grantTo(s, ben, { plan: 'pro' });
    await grantTo(s, cat, { plan: 'premium', months: 3 });
    expect(await noticesOver(45, [ann, ben, cat])).toEqual([
      [
        '23: Pro ends in 7 days',
        '29: Pro ends within a day',
        '30: Pro has ended but keeps working for three days',
        '33: Pro has ended',
      ],
      [],
      [],
    ]);
  });

  test('a trial: two days before its end, and at its end, the plan bought meanwhile ends the notices', async () => {
    const [dan, eve] = [await person(s, 'dan'), await person(s, 'eve')];
    for (const each of [dan, eve]) expect((await each.post('/api/subscribe/trial', {})).statusCode).toBe(200);
    await grantTo(s, eve);
    expect(await noticesOver(20, [dan, eve])).toEqual([
      ['5: Your Pro trial ends in 2 days', '7: Your Pro trial has ended'],
      [],
    ]);
  });

  test('a renewal after the first notice begins them anew for the new end', async () => {
    const fay = await person(s, 'fay');
    await grantTo(s, fay);
    await noticesOver(25, [fay]);
    await grantTo(s, fay);
    const [told] = await noticesOver(45, [fay]);
    expect(told?.map((each) => each.split(': ')[1])).toEqual([
      'Pro ends in 7 days',
      'Pro ends within a day',
      'Pro has ended but keeps working for three days',
      'Pro has ended',
    ]);
  });

  test('none to those whom an administrator has given more, and none of what ended long ago', async () => {
    const [gus, hal] = [await person(s, 'gus'), await person(s, 'hal')];
    const { db } = s.product.billing;
    const at = s.clock.now();
    await addFact(db, {
      userId: gus.id,
      source: 'admin',
      plan: 'premium',
      startsAt: at,
      endsAt: null,
      at,
      createdBy: null,
      note: '',
    });
    await grantTo(s, gus);
    await grantTo(s, hal, { goodAt: new Date(at.getTime() - 60 * DAY_MS) });
    expect(await noticesOver(40, [gus, hal])).toEqual([[], []]);
  });

  test('of two workers that run together one writes', async () => {
    const ida = await person(s, 'ida');
    await grantTo(s, ida, { goodAt: new Date(s.clock.now().getTime() - 25 * DAY_MS) });
    const other = await s.another();
    await Promise.all([s.product, other, s.product].map((each) => each.scheduler.runByHand('billing.notices')));
    expect((await mailsTo(s, ida.email)).filter(({ kind }) => kind === 'plan-ends')).toHaveLength(1);
  });
});

test('a plan works on through its grace, then is free: rules are paused, not deleted, and come back with renewal', async () => {
  // A month of 30 days.
  s.clock.set(NOON);
  const ann = await person(s, 'amy');
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
  expect((await calls.list()).map(({ name }) => name)).toEqual(['one', 'two']);
});
