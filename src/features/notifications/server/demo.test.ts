import { beforeAll, describe, expect, test } from 'vitest';

import { DEMO_PASSWORD } from '#features/accounts/server/auth/service.ts';
import { fileProduct, shared } from '#tests/support/for-file.ts';
import { registerUser, sendRequest, type TestUser, userWithToken } from '#tests/support/people.ts';
import { createBrowser, toSubscription } from '#tests/support/push.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { generateCode, readStatus } from '#tests/support/telegram.ts';
import { createWebhook, startReceiver } from '#tests/support/webhook-receiver.ts';

type List = { address: string; mails: { id: number; subject: string; kind: string; at: string }[] };
type Chat = { bot: string; blocked: boolean; messages: { from: string; text: string; at: string }[] };

const demo = fileProduct({ mode: 'demo', env: { TELEGRAM_BOT_TOKEN: '7301:demo', WEBHOOK_ALLOW_LOOPBACK: '1' } });
const receiver = shared(startReceiver);
let pro: TestUser;
let free: TestUser;
async function signIn(s: TestProduct, name: string): Promise<TestUser> {
  const credentials = { email: `${name}@meridian.example`, password: DEMO_PASSWORD };
  const answer = await sendRequest(s, 'POST', '/api/auth/login', credentials);
  const { token, user } = answer.json<{ token: string; user: { id: number; email: string } }>();
  return userWithToken(s, token, user);
}
beforeAll(async () => {
  demo.product.telegram.work();
  [pro, free] = [await signIn(demo, 'pro'), await signIn(demo, 'free')];
  await demo.product.market.ctx.db.deleteFrom('mail_outbox').execute();
});

describe('emails', () => {
  const post = (to: string, subject: string) =>
    demo.product.mail.enqueue(demo.product.market.ctx.db, {
      kind: 'news',
      to,
      subject,
      html: `<html><body><p>${subject} is here</p></body></html>`,
      text: subject,
    });
  const listOf = async (one: TestUser) => (await one.get('/api/demo/mails')).json<List>();

  test('none yet; then newest first, and one is opened', async () => {
    expect(await listOf(pro)).toEqual({ address: 'pro@meridian.example', mails: [] });
    const first = await post('pro@meridian.example', 'First');
    await post('free@meridian.example', 'For Free alone');
    demo.advance(1000);
    const second = await post('pro@meridian.example', 'Second');
    const head = { id: second.id, subject: 'Second', kind: 'news', at: demo.clock.now().toISOString() };
    const { mails } = await listOf(pro);
    expect(mails.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(mails[0]).toEqual(head);
    const html = '<html><body><p>Second is here</p></body></html>';
    expect((await pro.get(`/api/demo/mails/${second.id}`)).json()).toEqual({ ...head, html });
  });

  test('at most the latest thirty', async () => {
    for (let i = 1; i <= 31; i++) await post('free@meridian.example', `Mail ${i}`);
    const { mails } = await listOf(free);
    expect([mails.length, mails[0]?.subject, mails.at(-1)?.subject]).toEqual([30, 'Mail 31', 'Mail 2']);
  });
});

describe('push notifications', () => {
  const TEST = { title: 'Test Notification', body: 'This is a test', icon: '/favicon.ico' };

  test('demo mode accepts only its own push service, and explains why', async () => {
    const browser = await createBrowser(demo);
    expect((await pro.post('/api/push/subscribe', toSubscription(browser))).statusCode).toBe(200);
    const endpoint = 'https://fcm.googleapis.com/fcm/send/a';
    expect(statusAndMessage(await pro.post('/api/push/subscribe', { endpoint, keys: browser.keys }))).toEqual([
      400,
      'Demo mode sends nothing outside this machine: subscribe a browser to the simulated push service instead',
    ]);
    await pro.post('/api/push/unsubscribe', { endpoint: browser.endpoint });
  });

  test('a simulated browser is subscribed by a call, and only its owner reads what it received; the same tag replaces', async () => {
    expect((await pro.post('/api/push/simulated')).json()).toEqual({ success: true });
    expect((await pro.get('/api/push/browsers')).json()).toMatchObject({
      browsers: [{ device: 'Simulated browser' }],
      simulated: true,
    });
    const read = async (who: TestUser) =>
      (await who.get('/api/push/simulated')).json<{ messages: object[] }>().messages;
    expect(await read(pro)).toEqual([]);
    await pro.post('/api/push/test', TEST);
    demo.advance(1000);
    await pro.post('/api/push/test', { ...TEST, title: 'Second' });
    const url = '/app/profile?tab=notifications';
    const at = demo.clock.now().toISOString();
    expect(await read(pro)).toEqual([{ ...TEST, title: 'Second', tag: 'test-notification', url, severity: 'low', at }]);
    expect(await read(free)).toEqual([]);
  });
});

describe('Telegram', () => {
  const chatOf = async (who: TestUser) => (await who.get('/api/demo/telegram')).json<Chat>();

  test('the full flow without a network: send the bot a message as the user, read its reply', async () => {
    expect(await chatOf(pro)).toEqual({ bot: 'MeridianDemoBot', blocked: false, messages: [] });
    const code = await generateCode(pro);
    expect(await readStatus(pro)).toMatchObject({ simulated: true, deepLink: null, hasValidCode: true });
    const sent = await pro.post('/api/demo/telegram', { text: `/verify ${code}` });
    expect(sent.json<Chat>().messages).toMatchObject([{ from: 'you', text: `/verify ${code}` }]);
    const text = expect.stringMatching(/^Connected\./) as string;
    const at = demo.clock.now().toISOString();
    await expect.poll(async () => (await chatOf(pro)).messages[1]).toMatchObject({ from: 'bot', text, at });
    expect((await readStatus(pro)).verified).toBe(true);
    await pro.post('/api/demo/telegram', { blocked: true });
    await expect.poll(async () => (await readStatus(pro)).blocked).toBe(true);
    expect((await chatOf(pro)).blocked).toBe(true);
    expect((await chatOf(free)).messages).toEqual([]);
  });

  test('503 while the simulated Telegram is down', async () => {
    demo.sandbox.faults.set({ provider: 'telegram', kind: 'server_error' });
    expect(statusAndMessage(await pro.get('/api/demo/telegram'))).toEqual([
      503,
      'The simulated Telegram is not responding',
    ]);
    demo.sandbox.faults.clear();
  });

  test('demo mode never sends to the real Telegram, even with a token, and tells administrators so', async () => {
    const env = { TELEGRAM_BOT_TOKEN: '7399:test', TELEGRAM_API_BASE_URL: 'https://api.telegram.org' };
    const s = await start({ mode: 'demo', env });
    expect(await readStatus(await signIn(s, 'pro'))).toMatchObject({ hasBot: false });
    const { bot } = (await (await signIn(s, 'admin')).get('/api/admin/telegram')).json();
    expect(bot).toMatchObject({ mode: 'off', missing: { setting: 'TELEGRAM_API_BASE_URL' }, simulated: true });
    await s.stop();
  });
});

test('demo data is labeled in every webhook format', async () => {
  const who = await signIn(demo, 'premium');
  for (const format of ['generic', 'discord', 'slack'] as const)
    await (await createWebhook(who, { url: `${receiver.url}/ok`, format })).tryOut();
  const [generic, discord, slack] = receiver.calls.map(({ body }) => body);
  expect(JSON.parse(String(generic))).toMatchObject({ dataMode: 'demo' });
  expect([discord, slack].map((body) => body?.includes('"Demo data · 2026-11-20'))).toEqual([true, true]);
});

test('a live product has no such calls or page', async () => {
  const live = await start({ env: { TELEGRAM_BOT_TOKEN: '7302:test' } });
  await live.product.rebuild();
  await demo.product.rebuild();
  const ann = await registerUser(live, 'ann', 'pro');
  for (const path of [
    '/api/demo/mails',
    '/api/demo/mails/1',
    '/api/demo/telegram',
    '/api/push/simulated',
    '/app/phone',
  ])
    expect([path, (await ann.get(path)).statusCode]).toEqual([path, 404]);
  for (const path of ['/api/demo/telegram', '/api/push/simulated'])
    expect((await ann.post(path, { text: 'hello' })).statusCode).toBe(404);
  expect((await ann.get('/api/push/browsers')).json()).toEqual({ browsers: [], simulated: false });
  expect((await demo.get('/app/phone')).statusCode).toBe(200);
  await live.stop();
});
