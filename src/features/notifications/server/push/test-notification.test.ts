import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { type Person, person } from '#tests/support/people.ts';
import { subscribed } from '#tests/support/push.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let names = 0;
const someone = (): Promise<Person> => person(s, `reader${(names += 1)}`);
beforeAll(async () => {
  s = await start();
});
afterEach(() => s.sandbox.faults.clear());
afterAll(() => s.stop());

describe('POST /api/push/test', () => {
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
