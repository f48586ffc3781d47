import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { draftOf, raise } from '#tests/support/alerts.ts';
import { type Person, person } from '#tests/support/people.ts';
import { subscribed } from '#tests/support/push.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
beforeAll(async () => {
  s = await start();
});
afterEach(() => s.sandbox.faults.clear());
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

describe('POST /api/push/test', () => {
  let names = 0;
  const someone = (): Promise<Person> => person(s, `tester${(names += 1)}`);
  const TEST = { title: 'Test Notification', body: 'This is a test', icon: '/favicon.ico' };

  test('200: reaches every browser of the caller at once', async () => {
    const reader = await someone();
    const browsers = [await subscribed(s, reader), await subscribed(s, reader)];
    expect((await reader.post('/api/push/test', TEST)).json()).toEqual({ success: true, browsers: 2 });
    for (const { received } of browsers) {
      expect((await received())[0]).toMatchObject({ topic: 'test-notification', ttl: 60, message: TEST });
    }
  });

  test('409 without a browser, 503 when no push service takes it', async () => {
    const reader = await someone();
    const none = await reader.post('/api/push/test', TEST);
    expect([none.statusCode, none.json()]).toEqual([
      409,
      { error: 'No browser is subscribed to push notifications', code: 'conflict' },
    ]);
    await subscribed(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'server_error' });
    const down = await reader.post('/api/push/test', TEST);
    expect([down.statusCode, down.json()]).toEqual([
      503,
      { error: 'The push service did not take the notification: 127.0.0.1 answered 503', code: 'unavailable' },
    ]);
  });

  test('429 past ten in an hour', async () => {
    const reader = await someone();
    await subscribed(s, reader);
    for (let i = 0; i < 10; i++) expect((await reader.post('/api/push/test', TEST)).statusCode).toBe(200);
    const answer = await reader.post('/api/push/test', TEST);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '3600']);
  });

  test.each([
    ['an icon of another site', { icon: '//evil.example/a.png' }, 'icon: must be a path of this site'],
    ['two lines', { title: 'a\nb' }, 'title: must be one line of text'],
    ['a field that is not known', { url: 'https://evil.example' }, 'Unrecognized key: "url"'],
  ])('400: %s', async (_what, change, error) => {
    const reader = await someone();
    const answer = await reader.post('/api/push/test', { ...TEST, ...change });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error, code: 'bad_request' }]);
  });
});
