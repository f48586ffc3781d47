import { afterAll, beforeAll, expect, test } from 'vitest';

import { draftOf, raise } from '#tests/support/alerts.ts';
import type { Person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { BOT_TOKEN, connectedPerson } from '#tests/support/telegram.ts';

let s: Started;
beforeAll(async () => {
  s = await start({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, PUBLIC_URL: 'https://meridian.example' } });
  s.product.telegram.work();
});
afterAll(() => s.stop());

type Logged = { channel: string; state: string; note: string | null; tries: number; dueAt: string | null };

const wants = (who: Person) =>
  who.put('/api/profile', { email: who.email, notifications: { email: false, push: false, telegram: true } });
const deliver = () => s.product.notifications.deliver();
const own = (who: Person, once: string) =>
  raise(s, [draftOf(once, { own: { userId: who.id, ruleId: 1 }, metric: 'btc_price', value: 90_500, source: 'OKX' })]);
const logOf = async (who: Person) =>
  (await who.get('/api/notifications/deliveries'))
    .json<{ deliveries: Logged[] }>()
    .deliveries.filter(({ channel }) => channel === 'telegram');

test('an alert reaches the connected chat of who wants it, once', async () => {
  const { who: ann, chat } = await connectedPerson(s, 'ann', 801);
  const { who: silent, chat: other } = await connectedPerson(s, 'silent', 802);
  await wants(ann);
  await silent.put('/api/profile', {
    email: silent.email,
    notifications: { email: false, push: false, telegram: false },
  });
  const before = (await other.heard()).length;
  await own(ann, 'first');
  await own(silent, 'second');
  await deliver();
  expect((await chat.heard()).at(-1)).toBe(
    '🔵 This is first\nBitcoin price: $90,500.00 (OKX, 1 min old)\nOpen in Meridian',
  );
  expect(await logOf(ann)).toMatchObject([{ state: 'sent', tries: 1, note: null }]);
  const sent = (await chat.heard()).length;
  await deliver();
  expect(await chat.heard()).toHaveLength(sent);
  expect(await other.heard()).toHaveLength(before);
});

test('429: it waits as long as Telegram asks, then it goes out', async () => {
  const { who, chat } = await connectedPerson(s, 'bob', 803);
  await wants(who);
  s.sandbox.faults.set({
    provider: 'telegram',
    path: '/bot*/sendMessage',
    kind: 'rate_limit',
    retryAfter: 20,
    count: 1,
  });
  await own(who, 'limited');
  await deliver();
  const [waiting] = await logOf(who);
  expect(waiting).toMatchObject({ state: 'waiting', note: 'Telegram asks to wait 20 s' });
  expect(Date.parse(waiting?.dueAt ?? '') - s.clock.now().getTime()).toBeGreaterThanOrEqual(20_000);
  s.advance(Date.parse(waiting?.dueAt ?? '') - s.clock.now().getTime());
  await deliver();
  expect(await logOf(who)).toMatchObject([{ state: 'sent', tries: 2 }]);
  expect((await chat.heard()).at(-1)).toContain('This is limited');
});

test('a chat that stopped the bot is dropped, which is no failure, and not tried again', async () => {
  const { who, chat } = await connectedPerson(s, 'cat', 804);
  await wants(who);
  await chat.block(true);
  await own(who, 'stopped');
  await deliver();
  expect(await logOf(who)).toMatchObject([
    { state: 'dropped', note: 'The chat no longer takes messages from the bot' },
  ]);
  await own(who, 'next');
  expect(await deliver()).toBe(0);
  expect(await logOf(who)).toHaveLength(1);
});

test('an account that is deleted while its message waits takes the message along', async () => {
  const { who, chat } = await connectedPerson(s, 'dan', 805);
  await wants(who);
  const path = '/bot*/sendMessage';
  s.sandbox.faults.set({ provider: 'telegram', path, kind: 'rate_limit', retryAfter: 30, count: 1 });
  await own(who, 'queued');
  await deliver();
  expect(await logOf(who)).toMatchObject([{ state: 'waiting' }]);
  const heard = (await chat.heard()).length;
  expect((await who.remove('/api/auth/delete-account')).statusCode).toBe(200);
  s.advance(120_000);
  expect(await deliver()).toBe(0);
  expect(await chat.heard()).toHaveLength(heard);
});
