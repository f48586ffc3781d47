import { afterEach, expect, test } from 'vitest';

import { DEMO_PASSWORD } from '#features/accounts/server/auth/service.ts';
import { ask, person, personWith } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { codeFor, statusOf } from '#tests/support/telegram.ts';

let s: Started;
afterEach(() => s.stop());

type Chat = { bot: string; blocked: boolean; messages: { from: string; text: string; at: string }[] };

async function openDemo(env: Record<string, string> = {}) {
  s = await start({ mode: 'demo', env: { TELEGRAM_BOT_TOKEN: '7301:demo', ...env } });
  s.product.telegram.work();
  const answer = await ask(s, 'POST', '/api/auth/login', { email: 'pro@meridian.example', password: DEMO_PASSWORD });
  const { token, user } = answer.json<{ token: string; user: { id: number; email: string } }>();
  return personWith(s, token, user);
}

test('the whole way without a network: write to the bot as oneself, read what it answers', async () => {
  const pro = await openDemo();
  const chat = async () => (await pro.get('/api/demo/telegram')).json<Chat>();
  expect(await chat()).toEqual({ bot: 'MeridianDemoBot', blocked: false, messages: [] });
  const code = await codeFor(pro);
  expect(await statusOf(pro)).toMatchObject({ simulated: true, deepLink: null, hasValidCode: true });
  const sent = await pro.post('/api/demo/telegram', { text: `/verify ${code}` });
  expect(sent.json<Chat>().messages).toMatchObject([{ from: 'you', text: `/verify ${code}` }]);
  await expect
    .poll(async () => (await chat()).messages[1])
    .toMatchObject({
      from: 'bot',
      text: expect.stringMatching(/^Connected\./) as string,
      at: s.clock.now().toISOString(),
    });
  expect((await statusOf(pro)).verified).toBe(true);
  await pro.post('/api/demo/telegram', { blocked: true });
  await expect.poll(async () => (await statusOf(pro)).blocked).toBe(true);
  expect((await chat()).blocked).toBe(true);
});

test('everyone has a chat of their own, and nobody without a sign-in', async () => {
  const pro = await openDemo();
  await pro.post('/api/demo/telegram', { text: 'hello' });
  const other = await ask(s, 'POST', '/api/auth/login', { email: 'free@meridian.example', password: DEMO_PASSWORD });
  const { token } = other.json<{ token: string }>();
  const seen = await ask(s, 'GET', '/api/demo/telegram', undefined, { token });
  expect(seen.json<Chat>().messages).toEqual([]);
  expect((await ask(s, 'GET', '/api/demo/telegram')).statusCode).toBe(401);
  expect((await ask(s, 'POST', '/api/demo/telegram', { text: 'hello' })).statusCode).toBe(401);
});

test('503 while the simulated Telegram is away', async () => {
  const pro = await openDemo();
  s.sandbox.faults.set({ provider: 'telegram', kind: 'server_error' });
  const answer = await pro.get('/api/demo/telegram');
  expect([answer.statusCode, answer.json().error]).toEqual([503, 'The simulated Telegram is not responding']);
});

test('demo mode never writes to the real Telegram, even with a token', async () => {
  const pro = await openDemo({ TELEGRAM_API_BASE_URL: 'https://api.telegram.org' });
  expect(await statusOf(pro)).toMatchObject({ hasBot: false });
});

test('404 in live mode', async () => {
  s = await start({ env: { TELEGRAM_BOT_TOKEN: '7302:test' } });
  const ann = await person(s, 'ann', 'pro');
  for (const answer of [await ann.get('/api/demo/telegram'), await ann.post('/api/demo/telegram', { text: 'hello' })])
    expect(answer.statusCode).toBe(404);
});
