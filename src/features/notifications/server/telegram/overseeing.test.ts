import { afterEach, describe, expect, test } from 'vitest';

import { DEMO_PASSWORD } from '#features/accounts/server/auth/service.ts';
import { getBotState, listBotCommands } from '#features/notifications/contract/telegram.ts';
import { openDatabase } from '#kernel/db.ts';
import { ask, person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';
import { chatWith, codeFor } from '#tests/support/telegram.ts';

const DAY_MS = 86_400_000;
const PORT = 21_571;
const HOOK = `http://127.0.0.1:${PORT}/api/telegram/webhook`;

let bot = 7400;
let s: Started;
async function open(env: Record<string, string> = {}) {
  bot += 1;
  s = await start({ env: { TELEGRAM_BOT_TOKEN: `${bot}:test`, ...env } });
  return person(s, 'admin', 'admin');
}
afterEach(() => s.stop());

const table = async <T>(act: (db: ReturnType<typeof openDatabase>['db']) => Promise<T>): Promise<T> => {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const found = await act(db);
  await close();
  return found;
};

test('without a token: which setting is missing; nothing to list, nothing to send', async () => {
  s = await start();
  const admin = await person(s, 'admin', 'admin');
  const { bot: state } = (await admin.get('/api/admin/telegram')).json();
  expect(state).toMatchObject({ mode: 'off', missing: { setting: 'TELEGRAM_BOT_TOKEN' }, username: null });
  expect((await admin.get('/api/admin/telegram/chats')).json()).toEqual({ chats: [], total: 0, next: null });
  expect((await admin.get('/api/admin/telegram/commands')).json()).toEqual({ commands: [] });
  for (const path of ['/webhook', '/test'])
    expect((await admin.post(`/api/admin/telegram${path}`, { text: 'Hello' })).json()).toEqual({
      error: 'This installation has no Telegram bot',
      code: 'conflict',
    });
});

test('demo mode with the real address says that it never calls it', async () => {
  s = await start({
    mode: 'demo',
    env: { TELEGRAM_BOT_TOKEN: '7399:test', TELEGRAM_API_BASE_URL: 'https://api.telegram.org' },
  });
  const credentials = { email: 'admin@meridian.example', password: DEMO_PASSWORD };
  const { token } = (await ask(s, 'POST', '/api/auth/login', credentials)).json<{ token: string }>();
  const { bot: state } = (await ask(s, 'GET', '/api/admin/telegram', undefined, { token })).json();
  expect(state).toMatchObject({ mode: 'off', missing: { setting: 'TELEGRAM_API_BASE_URL' }, simulated: true });
});

describe('polling', () => {
  test('who holds the lock, when it last read, the last update and the last failure', async () => {
    const admin = await open();
    const state = async () => getBotState.reply.parse((await admin.get('/api/admin/telegram')).json());
    expect((await state()).bot).toMatchObject({ mode: 'polling', username: null, worker: null, webhook: null });
    s.product.telegram.work();
    await chatWith(s, 31, bot).ask('/help');
    const at = s.clock.now().toISOString();
    await expect
      .poll(async () => (await state()).bot)
      .toMatchObject({
        username: 'MeridianDemoBot',
        link: 'https://t.me/MeridianDemoBot',
        worker: { name: expect.stringContaining(`process ${process.pid}`) as string, since: at, isHeld: true },
        readAt: at,
        heardAt: at,
        error: null,
      });
    s.sandbox.faults.set({ provider: 'telegram', path: '/bot*/getUpdates', kind: 'server_error', count: 1 });
    s.advance(60_000);
    await chatWith(s, 31, bot).write('/help');
    await expect.poll(async () => (await state()).bot.error?.words).toContain('Telegram answered 502');
    await s.product.telegram.stop();
    await expect.poll(async () => (await state()).bot.worker?.isHeld).toBe(false);
  });

  test('there is no webhook to ask for or to register', async () => {
    const admin = await open();
    const words = { error: 'The bot has no webhook: TELEGRAM_WEBHOOK_URL is not set', code: 'conflict' };
    expect((await admin.get('/api/admin/telegram/webhook')).json()).toEqual(words);
    expect((await admin.post('/api/admin/telegram/webhook')).json()).toEqual(words);
  });
});

test('a webhook: its address, what waits, what failed; registered again with a trace', async () => {
  const admin = await open({ TELEGRAM_WEBHOOK_URL: HOOK, PORT: String(PORT) });
  s.product.telegram.work();
  const chat = chatWith(s, 32, bot);
  await expect.poll(async () => (await chat.see()).webhook).toBe(HOOK);
  const ask = async () => (await admin.get('/api/admin/telegram/webhook')).json();
  expect(await ask()).toEqual({ address: HOOK, isOurs: true, pending: 0, lastError: null });
  // Nothing listens yet.
  await chat.write('/help');
  const at = s.clock.now().toISOString();
  expect(await ask()).toMatchObject({ pending: 1, lastError: { words: 'Connection refused', at } });

  const api = `${s.sandbox.urls['TELEGRAM_API_BASE_URL']}/bot${bot}:test`;
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
  const logged = await table((db) =>
    db.selectFrom('audit_log').selectAll().where('action', '=', 'telegram.webhook').execute(),
  );
  expect(logged).toMatchObject([{ actor_id: admin.id, details: { address: HOOK } }]);
  // It came with its secret: what is posted is handled.
  await s.product.listen();
  expect(await chat.ask('/help')).toContain('What you can send');

  s.sandbox.faults.set({ provider: 'telegram', kind: 'server_error' });
  const away = await admin.get('/api/admin/telegram/webhook');
  expect([away.statusCode, away.json().code]).toEqual([503, 'unavailable']);
});

describe('what was asked of the bot', () => {
  test('which command and what came of it, and nothing of what was written; counted for an hour', async () => {
    const admin = await open();
    s.product.telegram.work();
    const ann = await person(s, 'ann', 'pro');
    const chat = chatWith(s, 33, bot);
    const code = await codeFor(ann);
    for (const text of [
      '/start',
      'my secret words',
      '/verify WRONG234',
      '/verify',
      `/verify ${code}`,
      '/status',
      '/help',
      '/stop',
      '/start',
    ])
      await chat.ask(text);
    await chatWith(s, -34, bot).ask('/start');
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
    const kept = JSON.stringify(await table((db) => db.selectFrom('telegram_commands').selectAll().execute()));
    for (const secret of ['secret', 'WRONG234', code, '"33"']) expect(kept).not.toContain(secret);
    const lastHour = async () => (await admin.get('/api/admin/telegram')).json().lastHour;
    expect(await lastHour()).toEqual({
      sent: 0,
      connected: 1,
      blocked: 0,
      commands: { start: 3, verify: 3, status: 1, help: 1, stop: 1, other: 1 },
    });
    s.advance(3_600_001);
    expect((await lastHour()).commands.verify).toBe(0);
    s.advance(30 * DAY_MS);
    await s.job('telegram.retention');
    expect(await table((db) => db.selectFrom('telegram_commands').selectAll().execute())).toEqual([]);
  });

  test('a flood is bounded: the newest 200 are listed, and 50,000 kept', async () => {
    const admin = await open();
    const at = s.clock.now().toISOString();
    const many = Array.from({ length: 1000 }, (_, i) => i);
    await table(async (db) => {
      for (let part = 0; part < 51; part++)
        await db
          .insertInto('telegram_commands')
          .values(
            many.map((i) => ({ bot_id: bot, update_id: part * 1000 + i, command: 'other', outcome: 'explained', at })),
          )
          .execute();
    });
    expect((await admin.get('/api/admin/telegram/commands')).json().commands).toHaveLength(200);
    await s.job('telegram.retention');
    const { n } = await table((db) =>
      db
        .selectFrom('telegram_commands')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    );
    expect(n).toBe(50_000);
  });
});

test('connected users: newest first in pages, searched by address, with a part of the chat only', async () => {
  const admin = await open();
  const at = s.clock.now().getTime();
  await table(async (db) => {
    for (let i = 0; i < 60; i++) {
      const { id } = await db
        .insertInto('users')
        .values({ email: `user${i}@people.example`, password_hash: '', created_at: new Date(at).toISOString() })
        .returning('id')
        .executeTakeFirstOrThrow();
      // Many connect in the same moment.
      const linked_at = new Date(at + Math.floor(i / 20) * 1000).toISOString();
      const blocked_at = i === 59 ? linked_at : null;
      const chat = { user_id: id, bot_id: bot, chat_id: 5_550_000 + i, linked_by: i, linked_at, blocked_at };
      await db
        .insertInto('telegram_chats')
        .values({ ...chat, free_at: linked_at })
        .execute();
    }
  });
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
