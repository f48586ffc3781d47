import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { draftOf, raise } from '#tests/support/alerts.ts';
import { type Person, person } from '#tests/support/people.ts';
import { subscribed } from '#tests/support/push.ts';
import { NOON, type Started, start } from '#tests/support/start.ts';

let s: Started;
beforeAll(async () => {
  s = await start();
});
afterEach(() => {
  s.sandbox.faults.clear();
  s.clock.set(NOON);
});
afterAll(() => s.stop());

/** Of Pro, with push switched on. */
async function reader(name: string): Promise<Person> {
  const someone = await person(s, name, 'pro');
  const notifications = { email: true, push: true, telegram: false };
  const answer = await someone.put('/api/profile', { email: someone.email, notifications });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return someone;
}

const logOf = async ({ get }: Person) =>
  (await get('/api/notifications/deliveries'))
    .json<{ deliveries: Delivery[] }>()
    .deliveries.filter(({ channel }) => channel === 'push');
const deliver = () => s.product.notifications.deliver();

test('an alert reaches the browser of who has switched push on, and the log says so', async () => {
  const [ann, ben] = [await reader('ann'), await person(s, 'ben', 'pro')];
  const [on, off] = [await subscribed(s, ann), await subscribed(s, ben)];
  await raise(s, [draftOf('first')]);
  await deliver();
  expect(await on.received()).toMatchObject([
    { ttl: 3600, message: { title: 'Stablecoin supply ratio', body: 'This is first', url: '/app/alerts' } },
  ]);
  expect(await off.received()).toEqual([]);
  expect(await logOf(ann)).toMatchObject([{ channel: 'push', state: 'sent', note: 'to 1 browser', tries: 1 }]);
});

test('a busy push service is asked again after the wait it named', async () => {
  const cat = await reader('cat');
  const browser = await subscribed(s, cat);
  s.sandbox.faults.set({ provider: 'push', kind: 'rate_limit', retryAfter: 90, path: `/${browser.id}`, count: 1 });
  await raise(s, [draftOf('busy')]);
  await deliver();
  const [waiting] = await logOf(cat);
  expect(waiting).toMatchObject({ state: 'waiting', note: '127.0.0.1 answered 429' });
  expect(Date.parse(waiting?.dueAt ?? '')).toBeGreaterThanOrEqual(NOON.getTime() + 90_000);
  await deliver();
  expect(await browser.received()).toEqual([]);
  s.advance(600_000);
  await deliver();
  expect(await browser.received()).toMatchObject([{ ttl: 3000 }]);
  expect(await logOf(cat)).toMatchObject([{ state: 'sent', tries: 2 }]);
});

test('a browser that is gone is no failure; without one nothing is made', async () => {
  const dan = await reader('dan');
  const browser = await subscribed(s, dan);
  await browser.end();
  await raise(s, [draftOf('gone')]);
  await deliver();
  expect(await logOf(dan)).toMatchObject([{ state: 'dropped', note: 'No browser is subscribed any more' }]);
  await raise(s, [draftOf('nobody')]);
  await deliver();
  expect(await logOf(dan)).toHaveLength(1);
});
