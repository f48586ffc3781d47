import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { getBotState, listBotCommands } from '#features/notifications/contract/telegram.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { chatWith, generateCode, readStatus } from '#tests/support/telegram.ts';

const HOUR_MS = 3_600_000;
const BOT = 7401;
const HOOK_BOT = 7402;
const PORT = 21_571;
const HOOK = `http://127.0.0.1:${PORT}/api/telegram/webhook`;

let s: TestProduct;

test('without a token: shows the missing setting; nothing to list, nothing to send', async () => {
  const s = await start();
  const admin = await registerUser(s, 'admin', 'admin');
  const { bot: state } = (await admin.get('/api/admin/telegram')).json();
  expect(state).toMatchObject({ mode: 'off', missing: { setting: 'TELEGRAM_BOT_TOKEN' }, username: null });
  expect((await admin.get('/api/admin/telegram/chats')).json()).toEqual({ chats: [], total: 0, next: null });
  expect((await admin.get('/api/admin/telegram/commands')).json()).toEqual({ commands: [] });
  const none = [409, 'No Telegram bot is configured'];
  for (const path of ['/api/admin/telegram/webhook', '/api/admin/telegram/test', '/api/telegram/generate-code'])
    expect(statusAndMessage(await admin.post(path, { text: 'Hello' }))).toEqual(none);
  expect(await readStatus(admin)).toMatchObject({ hasBot: false, verified: false, botUsername: null });
  expect(await s.product.telegram.channel.send([], new AbortController().signal)).toEqual([]);
  await s.stop();
});

test('a webhook: its address, what is pending, what failed; re-registered with an audit entry', async () => {
  const env = { TELEGRAM_BOT_TOKEN: `${HOOK_BOT}:test`, TELEGRAM_WEBHOOK_URL: HOOK, PORT: String(PORT) };
  const s = await start({ env });
  const admin = await registerUser(s, 'admin', 'admin');
  s.product.telegram.work();
  const chat = chatWith(s, 32, HOOK_BOT);
  await expect.poll(async () => (await chat.read()).webhook).toBe(HOOK);
  const ask = async () => (await admin.get('/api/admin/telegram/webhook')).json();
  expect(await ask()).toEqual({ address: HOOK, isOurs: true, pending: 0, lastError: null });
  // Not listening yet.
  await chat.write('/help');
  const at = s.clock.now().toISOString();
  expect(await ask()).toMatchObject({ pending: 1, lastError: { words: 'Connection refused', at } });

  const api = `${s.sandbox.urls['TELEGRAM_API_BASE_URL']}/bot${HOOK_BOT}:test`;
  await fetch(`${api}/deleteWebhook`, { method: 'POST', body: '{}' });
  expect(await ask()).toMatchObject({ address: null, isOurs: false });
  await fetch(`${api}/setWebhook`, { method: 'POST', body: JSON.stringify({ url: 'https://other.example/hook' }) });
  expect(await ask()).toMatchObject({ address: 'https://other.example/hook', isOurs: false });

  s.advance(60_000);
  const registeredAt = s.clock.now().toISOString();
  expect((await admin.post('/api/admin/telegram/webhook')).json()).toEqual({ registeredAt });
  expect(await ask()).toMatchObject({ address: HOOK, isOurs: true });
  const { bot: state } = (await admin.get('/api/admin/telegram')).json();
  expect(state).toMatchObject({ mode: 'webhook', webhook: { address: HOOK, registeredAt } });
  const logged = await sql`select actor_id, details from audit_log where action = 'telegram.webhook'`.execute(
    s.product.market.ctx.db,
  );
  expect(logged.rows).toEqual([{ actor_id: admin.id, details: { address: HOOK } }]);
  // The update has the secret, so it is handled.
  await s.product.listen();
  expect(await chat.sendAndReadReply('/help')).toContain('Commands:');

  s.sandbox.faults.set({ provider: 'telegram', kind: 'server_error' });
  const away = await admin.get('/api/admin/telegram/webhook');
  expect([away.statusCode, away.json().code]).toEqual([503, 'unavailable']);
  s.sandbox.faults.clear();
  await s.stop();
});

describe('polling', () => {
  let admin: TestUser;
  beforeAll(async () => {
    s = await start({ env: { TELEGRAM_BOT_TOKEN: `${BOT}:test` } });
    admin = await registerUser(s, 'admin', 'admin');
  });
  afterAll(() => s.stop());

  const db = () => s.product.market.ctx.db;
  const state = async () => getBotState.reply.parse((await admin.get('/api/admin/telegram')).json());
  const kept = async () =>
    (await sql<{ text: string }>`select c::text as text from telegram_commands c`.execute(db())).rows;

  test('there is no webhook to query, register or post to', async () => {
    const words = [409, 'The bot uses no webhook: TELEGRAM_WEBHOOK_URL is not set'];
    expect(statusAndMessage(await admin.get('/api/admin/telegram/webhook'))).toEqual(words);
    expect(statusAndMessage(await admin.post('/api/admin/telegram/webhook'))).toEqual(words);
    expect((await admin.post('/api/telegram/webhook', {})).statusCode).toBe(404);
  });

  test('stores commands and outcomes, and nothing of the messages; counted for an hour', async () => {
    s.product.telegram.work();
    const ann = await registerUser(s, 'ann', 'pro');
    const chat = chatWith(s, 33, BOT);
    const code = await generateCode(ann);
    const texts = ['/start', 'my secret words', '/verify WRONG234', '/verify', `/verify ${code}`, '/status', '/help'];
    for (const text of [...texts, '/stop', '/start']) await chat.sendAndReadReply(text);
    await chatWith(s, -34, BOT).sendAndReadReply('/start');
    const newest = async () =>
      listBotCommands.reply.parse((await admin.get('/api/admin/telegram/commands')).json()).commands;
    await expect.poll(async () => (await newest()).length).toBe(10);
    expect((await newest()).map(({ command, outcome }) => `${command} ${outcome}`).toReversed()).toEqual([
      'start welcomed',
      'other explained',
      'verify wrong_code',
      'verify no_code',
      'verify connected',
      'status is_connected',
      'help explained',
      'stop announcements_off',
      'start announcements_on',
      'start private_only',
    ]);
    await chat.repeat();
    for (const secret of ['secret', 'WRONG234', code, '"33"'])
      expect(JSON.stringify(await kept())).not.toContain(secret);
    expect((await state()).lastHour).toEqual({
      sent: 0,
      connected: 1,
      blocked: 0,
      commands: { start: 3, verify: 3, status: 1, help: 1, stop: 1, other: 1 },
    });
    s.advance(HOUR_MS + 1);
    expect((await state()).lastHour?.commands.verify).toBe(0);
  });

  test('shows who holds the lock, the last read, the last update and the last failure', async () => {
    await chatWith(s, 31, BOT).sendAndReadReply('/help');
    const at = s.clock.now().toISOString();
    const name = expect.stringContaining(`process ${process.pid}`) as string;
    await expect
      .poll(async () => (await state()).bot)
      .toMatchObject({
        mode: 'polling',
        username: 'MeridianDemoBot',
        link: 'https://t.me/MeridianDemoBot',
        worker: { name, since: '2026-11-20T12:00:00.000Z', isHeld: true },
        readAt: at,
        heardAt: at,
        error: null,
        webhook: null,
      });
    s.sandbox.faults.set({ provider: 'telegram', path: '/bot*/getUpdates', kind: 'server_error', count: 1 });
    s.advance(60_000);
    await chatWith(s, 31, BOT).write('/help');
    await expect.poll(async () => (await state()).bot.error?.words).toContain('Telegram responded with 502');
    await s.product.telegram.stop();
    await expect.poll(async () => (await state()).bot.worker?.isHeld).toBe(false);
  });

  test('a flood is bounded: the latest 200 are listed, and 50,000 stored, for at most 30 days', async () => {
    await sql`insert into telegram_commands (bot_id, update_id, command, outcome, at)
      select ${BOT}, 1000000 + n, 'other', 'explained', ${s.clock.now().toISOString()}::timestamptz
      from generate_series(1, 51000) n`.execute(db());
    expect((await admin.get('/api/admin/telegram/commands')).json().commands).toHaveLength(200);
    await s.job('telegram.retention');
    expect(await kept()).toHaveLength(50_000);
    s.advance(30 * 24 * HOUR_MS + 1);
    await s.job('telegram.retention');
    expect(await kept()).toEqual([]);
  });

  test('connected users: newest first in pages, searchable by address, with only part of the chat id', async () => {
    admin = await signInAgain(s, admin);
    const at = s.clock.now().getTime();
    // Many connect at the same moment.
    await sql`with people as (insert into users (email, password_hash, created_at)
        select 'user' || n || '@people.example', '', now() from generate_series(0, 59) n
        returning id, substring(email from '[0-9]+')::int as n)
      insert into telegram_chats (user_id, bot_id, chat_id, linked_by, linked_at, free_at, blocked_at)
      select id, ${BOT}, 5550000 + n, n, at, at, case when n = 59 then at end
      from people cross join lateral (select ${new Date(at).toISOString()}::timestamptz + (n / 20) * interval '1 second' as at) t`.execute(
      db(),
    );
    await sql`delete from telegram_chats where chat_id = 33`.execute(db());
    const path = '/api/admin/telegram/chats';
    const first = (await admin.get(path)).json();
    expect([first.total, first.chats.length]).toEqual([60, 50]);
    expect(first.chats[0]).toEqual({
      userId: first.chats[0].userId,
      email: 'user59@people.example',
      chat: '…0059',
      linkedAt: new Date(at + 2000).toISOString(),
      lastSentAt: null,
      blockedAt: new Date(at + 2000).toISOString(),
      isOn: false,
      announcements: true,
    });
    const second = (await admin.get(`${path}?before=${encodeURIComponent(first.next)}`)).json();
    expect([second.chats.length, second.next]).toEqual([10, null]);
    const emails = [...first.chats, ...second.chats].map(({ email }: { email: string }) => email);
    expect(emails).toEqual(Array.from({ length: 60 }, (_, i) => `user${59 - i}@people.example`));
    const found = (await admin.get(`${path}?q=USER7%40`)).json();
    expect([found.total, found.chats[0].email]).toEqual([1, 'user7@people.example']);
    expect((await admin.get(`${path}?q=%25`)).json().total).toBe(0);
    expect((await admin.get(`${path}?before=nonsense`)).statusCode).toBe(400);
  });
});
