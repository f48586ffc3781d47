import { afterAll, beforeAll, expect, test } from 'vitest';

import { addFact } from '#features/accounts/server/subscriptions/service.ts';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { again, callsOf, rule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { said } from '#tests/support/replies.ts';
import { type Started, start } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;
let s: Started;
let ann: Person;
let calls: ReturnType<typeof callsOf>;
const db = () => s.product.market.ctx.db;
const give = (plan: 'pro' | 'premium', days: number) =>
  addFact(db(), {
    userId: ann.id,
    source: plan,
    plan,
    startsAt: s.clock.now(),
    endsAt: new Date(s.clock.now().getTime() + days * DAY_MS),
    at: s.clock.now(),
    createdBy: null,
    note: '',
  });
/** As the owner of the rules has them, whatever the person may see. */
const pausesOf = async () =>
  (
    await db().selectFrom('alert_rules').select('paused').where('user_id', '=', ann.id).orderBy('position').execute()
  ).map(({ paused }) => paused);
const countsOf = async () => {
  const pauses = await pausesOf();
  return [pauses.filter((paused) => paused === null).length, pauses.filter((paused) => paused === 'plan').length];
};

beforeAll(async () => {
  s = await start();
  await s.job('market.listing');
  ann = await person(s, 'ann');
  calls = callsOf(s, ann);
  await give('premium', 2);
  await give('pro', 4);
  s.product.auth.callers.forget(ann.id);
});
afterAll(() => s.stop());

test('rules beyond the plan are paused when it ends, the last of the list first, and come back with it', async () => {
  const list = (
    await calls.save(Array.from({ length: 60 }, (_, i) => rule({ name: `rule ${i}`, value: 90_000 + i })))
  ).json<Threshold[]>();
  const [first, last] = [list[0], list[59]] as [Threshold, Threshold];
  await db()
    .updateTable('alert_rules')
    .set({ fires: 4, last_fired_at: '2026-11-20T11:00:00Z', first_on: 2 })
    .where('id', 'in', [first.id, last.id])
    .execute();
  await s.job('alerts.plans');
  expect(await countsOf()).toEqual([60, 0]);

  s.advance(2.5 * DAY_MS);
  await s.job('alerts.plans');
  expect(await pausesOf()).toEqual([...Array(50).fill(null), ...Array(10).fill('plan')]);
  const shown = await calls.list();
  expect(shown[59]).toMatchObject({ state: 'paused', note: 'Paused: Pro covers 50 alerts of your own', fires: 4 });
  expect(shown[59]?.canRearm).toBe(false);
  expect(said(await calls.rearm(last.id))).toEqual([
    400,
    'Pro covers 50 alerts of your own, and this one is beyond them',
  ]);
  expect(shown[0]?.fires).toBe(4);

  s.advance(2.5 * DAY_MS);
  await s.job('alerts.plans');
  expect(await countsOf()).toEqual([0, 60]);

  await give('premium', 3);
  await s.job('market.listing');
  await s.job('alerts.plans');
  expect(await countsOf()).toEqual([60, 0]);
  s.product.auth.callers.forget(ann.id);
  // They begin anew: not above any more, so the next crossing is one.
  expect((await calls.list())[59]).toMatchObject({ state: 'armed', fires: 4 });
});

test('a list from before may be saved and reordered, but does not grow', async () => {
  s.advance(3.5 * DAY_MS);
  await give('pro', 3);
  await s.job('alerts.plans');
  s.product.auth.callers.forget(ann.id);
  expect(await countsOf()).toEqual([50, 10]);
  const list = await calls.list();
  const last = list.at(-1) as Threshold;
  expect((await calls.save([...list.map(again), rule()])).statusCode).toBe(403);
  expect((await calls.save([last, ...list.slice(0, -1)].map(again))).statusCode).toBe(200);
  expect(await countsOf()).toEqual([50, 10]);
  expect((await calls.list())[0]).toMatchObject({ id: last.id, state: 'no_data' });
  expect((await calls.save(list.slice(0, 50).map(again))).statusCode).toBe(200);
  expect(await countsOf()).toEqual([50, 0]);
});

test('an etag from before a pause still names the list', async () => {
  const etag = await calls.etag();
  s.advance(3.5 * DAY_MS);
  await s.job('alerts.plans');
  expect(await countsOf()).toEqual([0, 50]);
  await give('pro', 3);
  s.product.auth.callers.forget(ann.id);
  const list = await calls.list();
  expect((await calls.save(list.map(again), etag)).statusCode).toBe(200);
  expect(await countsOf()).toEqual([50, 0]);
});
