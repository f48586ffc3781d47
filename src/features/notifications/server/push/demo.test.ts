import { afterAll, beforeAll, expect, test } from 'vitest';

import { DEMO_PASSWORD } from '#features/accounts/server/auth/service.ts';
import { ask, type Person, person, personWith } from '#tests/support/people.ts';
import { browserOf, subscriptionOf } from '#tests/support/push.ts';
import { type Started, start } from '#tests/support/start.ts';

let demo: Started;
let reader: Person;
beforeAll(async () => {
  demo = await start({ mode: 'demo' });
  const login = await ask(demo, 'POST', '/api/auth/login', { email: 'pro@meridian.example', password: DEMO_PASSWORD });
  const { token, user } = login.json<{ token: string; user: { id: number; email: string } }>();
  reader = personWith(demo, token, user);
});
afterAll(() => demo.stop());

const TEST = { title: 'Test Notification', body: 'This is a test', icon: '/favicon.ico' };

test('demo mode knows its own push service only, and says why', async () => {
  const browser = await browserOf(demo);
  expect((await reader.post('/api/push/subscribe', subscriptionOf(browser))).statusCode).toBe(200);
  const endpoint = 'https://fcm.googleapis.com/fcm/send/a';
  const real = await reader.post('/api/push/subscribe', { endpoint, keys: browser.keys });
  expect([real.statusCode, real.json()]).toEqual([
    400,
    {
      error: 'Demo mode sends nothing outside: push notifications of the demo go to its own push service only',
      code: 'bad_request',
    },
  ]);
  await reader.post('/api/push/unsubscribe', { endpoint: browser.endpoint });
});

test('a simulated browser is subscribed by a call, and what it was sent can be read; the same tag replaces', async () => {
  expect((await reader.post('/api/push/simulated')).json()).toEqual({ success: true });
  expect((await reader.get('/api/push/browsers')).json()).toMatchObject({
    browsers: [{ device: 'A simulated browser' }],
    simulated: true,
  });
  expect((await reader.get('/api/push/simulated')).json()).toEqual({ messages: [] });
  await reader.post('/api/push/test', TEST);
  demo.advance(1000);
  await reader.post('/api/push/test', { ...TEST, title: 'Second' });
  const { messages } = (await reader.get('/api/push/simulated')).json<{ messages: { title: string }[] }>();
  expect(messages).toEqual([
    {
      ...TEST,
      title: 'Second',
      tag: 'test-notification',
      url: '/app/profile?tab=notifications',
      severity: 'low',
      at: demo.clock.now().toISOString(),
    },
  ]);
});

test('each person reads the messages of their own browsers, and nobody without a sign-in', async () => {
  const login = await ask(demo, 'POST', '/api/auth/login', { email: 'free@meridian.example', password: DEMO_PASSWORD });
  const { token } = login.json<{ token: string }>();
  expect((await ask(demo, 'GET', '/api/push/simulated', undefined, { token })).json()).toEqual({ messages: [] });
  expect((await ask(demo, 'GET', '/api/push/simulated')).statusCode).toBe(401);
});

test('a live product has no simulated browsers', async () => {
  const s = await start();
  const ann = await person(s, 'ann');
  expect((await ann.post('/api/push/simulated')).statusCode).toBe(404);
  expect((await ann.get('/api/push/simulated')).statusCode).toBe(404);
  expect((await ann.get('/api/push/browsers')).json()).toEqual({ browsers: [], simulated: false });
  await s.stop();
});
