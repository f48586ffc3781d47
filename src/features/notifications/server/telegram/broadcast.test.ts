import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Delivery } from '#features/notifications/contract/notifications.ts';
import type { Broadcast } from '#features/notifications/contract/telegram.ts';
import { openDatabase } from '#kernel/db.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { grantPlan, registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { BOT_TOKEN, chatWith, createConnectedUser } from '#tests/support/telegram.ts';

const HOUR_MS = 3_600_000;
const PATH = '/api/admin/telegram/broadcasts';
const TEST = '/api/admin/telegram/test';
const SEND = { provider: 'telegram', path: '/bot*/sendMessage' } as const;

const s = fileProduct({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN } });
let admin: TestUser;
let ann: Awaited<ReturnType<typeof createConnectedUser>>;
let ben: Awaited<ReturnType<typeof createConnectedUser>>;
beforeAll(async () => {
  s.product.telegram.work();
  admin = await registerUser(s, 'admin', 'admin');
});
afterEach(async () => {
  s.sandbox.faults.clear();
  s.advance(26 * HOUR_MS);
  await deliver();
  await s.job('telegram.broadcasts');
  admin = await signInAgain(s, admin);
});

const deliver = () => s.product.notifications.deliver();
const body = (text: string, audience = 'all', key: string = randomUUID()) => ({ key, text, audience });
const send = (text: string, audience?: string, key?: string) => admin.post(PATH, body(text, audience, key));
const list = async () => (await admin.get(PATH)).json<{ broadcasts: Broadcast[] }>().broadcasts;
const newest = async () => (await list())[0];
const heardIn = async (chat: typeof ann.chat, text: string) =>
  (await chat.heard()).filter((each) => each.startsWith(text)).length;

async function audited(action: string) {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const rows = await db.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('id').execute();
  await close();
  return rows;
}

test('two users connect their chats', async () => {
  ann = await createConnectedUser(s, 'ann', 901);
  ben = await createConnectedUser(s, 'ben', 902);
  await grantPlan(s, ben.who.id, 'premium');
});

describe('an announcement', () => {
  test('reaches every connected chat once, as written, with opt-out instructions', async () => {
    const before = await admin.get('/api/admin/telegram/audience');
    expect(before.json()).toEqual({
      people: { all: 2, free: 0, pro: 1, premium: 1 },
      left: { blocked: 0, switchedOff: 0, declined: 0 },
    });
    const answer = await send('*New:* <b>AT&T</b> & "quotes" at https://m.example/a?b=1&c=2');
    expect([answer.statusCode, answer.json<Broadcast>()]).toMatchObject([
      200,
      { state: 'running', people: 2, waiting: 2, sent: 0, createdBy: admin.email },
    ]);
    await deliver();
    const said = 'New: <b>AT&T</b> & "quotes" at https://m.example/a?b=1&c=2';
    const whole = `${said}\n\nAnnouncement. Send /stop to opt out.`;
    expect((await ann.chat.heard()).at(-1)).toBe(whole);
    expect((await ben.chat.heard()).at(-1)).toBe(whole);
    const { messages } = await ann.chat.read();
    expect(messages.at(-1)?.markup).toContain('<b>New:</b> &lt;b&gt;AT&amp;T&lt;/b&gt; &amp; "quotes"');
    expect(await newest()).toMatchObject({ state: 'sent', sent: 2, failed: 0, skipped: 0, waiting: 0 });
    expect(await audited('telegram.broadcast')).toMatchObject([
      { actor_id: admin.id, details: { audience: 'all', people: 2 } },
    ]);
    await deliver();
    expect(await heardIn(ann.chat, said)).toBe(1);
    const log = (await ann.who.get('/api/notifications/deliveries')).json<{ deliveries: Delivery[] }>();
    expect(log.deliveries[0]?.title).toBe(said);
  });

  test('for one plan reaches no one else', async () => {
    expect((await send('For Premium+', 'premium')).json<Broadcast>().people).toBe(1);
    await deliver();
    expect([await heardIn(ann.chat, 'For Premium+'), await heardIn(ben.chat, 'For Premium+')]).toEqual([0, 1]);
    expect((await send('For nobody', 'free')).json()).toEqual({
      error: 'No recipients: no connected chat matches this audience',
      code: 'conflict',
    });
  });

  test('the same key creates one, concurrently or later; with another text it is rejected', async () => {
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => send('Only once', 'all', key)));
    expect(new Set(answers.map((each) => each.json<Broadcast>().id)).size).toBe(1);
    await deliver();
    expect((await send('Only once', 'all', key)).json<Broadcast>()).toMatchObject({ state: 'sent', sent: 2 });
    await deliver();
    expect(await heardIn(ann.chat, 'Only once')).toBe(1);
    const other = await send('Other', 'all', key);
    expect([other.statusCode, other.json().code]).toEqual([409, 'conflict']);
  });

  test('waits for quiet hours, and is excluded from latency figures', async () => {
    const quietHours = { enabled: true, from: '00:00', to: '23:30', letHighThrough: true };
    await savePreferences(ann.who, { telegramNotifications: true, more: { quietHours } });
    await send('While you sleep');
    await deliver();
    expect(await newest()).toMatchObject({ state: 'running', sent: 1, waiting: 1, held: 1 });
    s.advance(24 * HOUR_MS);
    admin = await signInAgain(s, admin);
    await deliver();
    expect(await newest()).toMatchObject({ state: 'sent', sent: 2 });
    await savePreferences(ann.who, {
      telegramNotifications: true,
      more: { quietHours: { ...quietHours, enabled: false } },
    });
    const channels = (await s.get('/api/notifications/latency')).json<{ channels: { channel: string; n: number }[] }>();
    expect(channels.channels.find(({ channel }) => channel === 'telegram')?.n).toBe(0);
  });
});

describe('users who do not get it', () => {
  test('/stop declines announcements and keeps alerts; /start restores them', async () => {
    expect(await ann.chat.sendAndReadReply('/stop')).toMatch(/^Announcements are off for this chat\. Alerts continue/);
    expect(await ann.chat.sendAndReadReply('/status')).toContain('Announcements are off');
    expect((await admin.get('/api/admin/telegram/audience')).json()).toMatchObject({
      people: { all: 1 },
      left: { declined: 1 },
    });
    await send('Not for Ann');
    await raise(s, [createDraft('still', { own: { userId: ann.who.id, ruleId: 1 } })]);
    await deliver();
    expect(await heardIn(ann.chat, 'Not for Ann')).toBe(0);
    expect((await ann.chat.heard()).at(-1)).toContain('This is still');
    expect(await ann.chat.sendAndReadReply('/start')).toMatch(/^Announcements are back on/);
    expect(await chatWith(s, 950).sendAndReadReply('/stop')).toBe(
      'This chat is not connected and receives no messages.',
    );
  });

  test('users who decline, disconnect or block the bot meanwhile are skipped, which is no failure', async () => {
    const cat = await createConnectedUser(s, 'cat', 903);
    const dan = await createConnectedUser(s, 'dan', 904);
    s.sandbox.faults.set({ ...SEND, kind: 'rate_limit', retryAfter: 30 });
    await send('In between');
    await deliver();
    s.sandbox.faults.clear();
    expect(await newest()).toMatchObject({ state: 'running', waiting: 4 });
    await cat.who.post('/api/telegram/disconnect');
    await dan.chat.block(true);
    await ben.chat.sendAndReadReply('/stop');
    s.advance(60_000);
    await deliver();
    expect(await newest()).toMatchObject({ state: 'sent', sent: 1, skipped: 3, failed: 0 });
    expect(await heardIn(ann.chat, 'In between')).toBe(1);
    await ben.chat.sendAndReadReply('/start');
  });

  test('users who leave before deliveries are created are skipped, not failed', async () => {
    const eve = await createConnectedUser(s, 'eve', 907);
    expect((await send('Just before')).json<Broadcast>().people).toBe(3);
    await eve.who.post('/api/telegram/disconnect');
    await deliver();
    expect(await newest()).toMatchObject({ state: 'sent', sent: 2, skipped: 1, failed: 0, cancelled: 0 });
  });
});

describe('limits', () => {
  test('one at a time; once canceled, the rest is not sent', async () => {
    s.sandbox.faults.set({ ...SEND, kind: 'rate_limit', retryAfter: 30 });
    const { id } = (await send('To be canceled')).json<Broadcast>();
    await deliver();
    s.sandbox.faults.clear();
    const second = await send('Too early');
    expect([second.statusCode, second.json().error]).toEqual([
      409,
      'Another announcement is being sent. Wait for it to finish, or cancel it.',
    ]);
    const cancelled = await admin.post(`${PATH}/${id}/cancel`);
    expect(cancelled.json<Broadcast>()).toMatchObject({ state: 'cancelled', sent: 0, cancelled: 2, waiting: 0 });
    expect((await admin.post(`${PATH}/${id}/cancel`)).statusCode).toBe(409);
    s.advance(120_000);
    await deliver();
    expect(await heardIn(ann.chat, 'To be canceled')).toBe(0);
    expect(await audited('telegram.broadcast_cancel')).toMatchObject([{ details: { broadcast: id } }]);
    expect((await admin.post(`${PATH}/999999/cancel`)).statusCode).toBe(404);
  });

  test('one canceled before the first delivery reaches no one', async () => {
    const { id } = (await send('Never')).json<Broadcast>();
    expect((await admin.post(`${PATH}/${id}/cancel`)).json()).toMatchObject({ state: 'cancelled', cancelled: 2 });
    await deliver();
    expect(await heardIn(ann.chat, 'Never')).toBe(0);
  });

  test('429 after ten per day, until the first is a day old', async () => {
    for (let count = 0; count < 10; count++) {
      expect((await send(`Number ${count}`)).statusCode).toBe(200);
      await deliver();
      s.advance(1000);
    }
    const answer = await send('One too many');
    expect([answer.statusCode, answer.json().error]).toEqual([429, 'Limit reached: 10 announcements per day']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000);
  });

  test.each([
    ['   \n ', 'Message is required'],
    ['a'.repeat(4001), 'Messages can have at most 4,000 characters'],
    ['a\u0000b', 'Messages cannot contain control characters'],
    ['a\ud800b', 'Messages cannot contain control characters'],
  ])('400: %.10j', async (text, error) => {
    const answer = await send(text);
    expect([answer.statusCode, answer.json()]).toEqual([400, { error, code: 'bad_request' }]);
  });

  test('403 without a fresh proof', async () => {
    s.advance(16 * 60_000);
    const stale = await send('Stale');
    expect([stale.statusCode, stale.json().code]).toEqual([403, 'reauthentication_required']);
  });
});

test('a test goes only to the admin’s own chat, or reports why not', async () => {
  const none = await admin.post(TEST, { text: 'A test' });
  expect([none.statusCode, none.json().error]).toEqual([409, 'Connect your own chat first to receive the test']);
  const { chat } = await createConnectedUser(s, 'gus', 921);
  const boss = await createConnectedUser(s, 'boss', 922);
  const peopleOf = async () => (await admin.get('/api/admin/telegram/audience')).json().people;
  const { all, pro, premium } = await peopleOf();
  await grantPlan(s, boss.who.id, 'admin');
  // An administrator belongs to everyone and to no plan.
  expect(await peopleOf()).toMatchObject({ all, pro: pro - 1, premium });
  expect((await boss.who.post(TEST, { text: '_A test_' })).json()).toEqual({ success: true });
  expect((await boss.chat.heard()).at(-1)).toMatch(/^A test\n\nAnnouncement\./);
  expect((await chat.heard()).at(-1)).toMatch(/^Connected\./);
  expect((await boss.who.post(TEST, { text: 'At once' })).json().error).toBe(
    'Telegram allows one message per second per chat. Try again in a moment.',
  );
  s.advance(2000);
  s.sandbox.faults.set({ ...SEND, kind: 'rate_limit', retryAfter: 7, count: 1 });
  const limited = await boss.who.post(TEST, { text: 'Limited' });
  expect([limited.statusCode, limited.json().error]).toEqual([429, 'Telegram rate limit: try again in 7 s']);
  s.advance(8000);
  await boss.chat.block(true);
  expect((await boss.who.post(TEST, { text: 'Blocked' })).json().error).toBe(
    'You have blocked the bot. Unblock it in Telegram and try again.',
  );
});

test('429 after twenty tests per hour', async () => {
  const many = await createConnectedUser(s, 'many', 923);
  await grantPlan(s, many.who.id, 'admin');
  for (let count = 0; count < 20; count++) {
    s.advance(1500);
    expect((await many.who.post(TEST, { text: `Test ${count}` })).statusCode).toBe(200);
  }
  s.advance(1500);
  const answer = await many.who.post(TEST, { text: 'One too many' });
  expect([answer.statusCode, answer.json().error]).toEqual([429, 'Limit reached: 20 tests per hour']);
});
