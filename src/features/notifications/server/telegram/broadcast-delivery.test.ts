import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Broadcast } from '#features/notifications/contract/telegram.ts';
import type { Channel } from '#features/notifications/server/notifications/channel.ts';
import { deliverBatch } from '#features/notifications/server/notifications/service/deliver.ts';
import { fanOut } from '#features/notifications/server/notifications/service/run.ts';
import { openDatabase } from '#kernel/db.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { PASSWORD, registerUser, sendRequest } from '#tests/support/people.ts';
import { BOT, BOT_TOKEN, chatWith } from '#tests/support/telegram.ts';

const CHATS = 40;
/** Less than all, so that a worker that stops leaves work for others. */
const BATCH = 6;
const HOUR_MS = 3_600_000;

const s = fileProduct({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN } });
const admin = member(s, 'admin', 'admin');
const chats = Array.from({ length: CHATS }, (_, i) => 70_000 + i);
beforeAll(async () => {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const at = s.clock.now().toISOString();
  for (const chat_id of chats) {
    const { id } = await db
      .insertInto('users')
      .values({ email: `chat${chat_id}@people.example`, password_hash: '', created_at: at, notify_telegram: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    const chat = { user_id: id, bot_id: BOT, chat_id, linked_by: chat_id, linked_at: at, blocked_at: null };
    await db
      .insertInto('telegram_chats')
      .values({ ...chat, free_at: at })
      .execute();
    await chatWith(s, chat_id).write('/start');
  }
  await close();
});

const none = new AbortController().signal;
const context = () => s.product.notifications.ctx;
const deliver = () => s.product.notifications.deliver();
const heardIn = async (chatId: number, text: string) =>
  (await chatWith(s, chatId).heard()).filter((each) => each.startsWith(text)).length;

async function send(text: string): Promise<void> {
  const login = await sendRequest(s, 'POST', '/api/auth/login', { email: admin.email, password: PASSWORD });
  const { token } = login.json<{ token: string }>();
  const body = { key: randomUUID(), text, audience: 'all' };
  const answer = await sendRequest(s, 'POST', '/api/admin/telegram/broadcasts', body, { token });
  expect(answer.statusCode, answer.body).toBe(200);
  await fanOut(context(), none);
}

async function newest(): Promise<Broadcast | undefined> {
  const login = await sendRequest(s, 'POST', '/api/auth/login', { email: admin.email, password: PASSWORD });
  const { token } = login.json<{ token: string }>();
  const answer = await sendRequest(s, 'GET', '/api/admin/telegram/broadcasts', undefined, { token });
  return answer.json<{ broadcasts: Broadcast[] }>().broadcasts[0];
}

/** A worker that has sent its batch and stops before recording it. */
async function die(): Promise<void> {
  const { channel } = s.product.telegram;
  let end: (claimed: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const dying: Channel = {
    ...channel,
    batch: BATCH,
    async send(deliveries, signal) {
      await channel.send(deliveries, signal);
      end(deliveries.length);
      return new Promise(() => undefined);
    },
  };
  await Promise.race([deliverBatch(context(), dying, none, 'announcements'), ended]);
}

const ACTS = {
  part: () => deliverBatch(context(), { ...s.product.telegram.channel, batch: BATCH }, none, 'announcements'),
  die,
  later: async () => s.advance(130_000),
  refuse: async () => {
    const path = '/bot*/sendMessage';
    s.sandbox.faults.set({ provider: 'telegram', path, kind: 'rate_limit', retryAfter: 3, count: 1 });
    await deliver();
    s.sandbox.faults.clear();
  },
} as const;

test('each chat gets it exactly once; if a worker dies, no one is left out and at most its batch is repeated', async () => {
  let round = 0;
  const act = fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[]));
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 4 }), async (acts) => {
      round += 1;
      const text = `Round ${round}.`;
      s.advance(25 * HOUR_MS);
      await send(text);
      for (const each of acts) await ACTS[each]();
      for (let i = 0; i < 8; i++) {
        s.advance(10 * 60_000);
        await deliver();
      }
      const deaths = acts.filter((each) => each === 'die').length;
      const counts = await Promise.all(chats.map((each) => heardIn(each, text)));
      expect(Math.min(...counts)).toBe(1);
      expect(Math.max(...counts)).toBeLessThanOrEqual(1 + deaths);
      const twice = counts.reduce((sum, count) => sum + count, 0) - CHATS;
      expect(twice).toBeLessThanOrEqual(deaths * BATCH);
      expect(await newest()).toMatchObject({ state: 'sent', sent: CHATS, failed: 0, skipped: 0, waiting: 0 });
    }),
    { numRuns: 6, examples: [[[]], [['die', 'later', 'die']], [['refuse', 'part', 'die', 'later']]] },
  );
});

test('expires after a day', async () => {
  s.advance(25 * HOUR_MS);
  s.sandbox.faults.set({ provider: 'telegram', path: '/bot*/sendMessage', kind: 'rate_limit', retryAfter: 30 });
  await send('yesterday. news');
  await deliver();
  s.sandbox.faults.clear();
  s.advance(24 * HOUR_MS + 60_000);
  await deliver();
  const counts = await Promise.all(chats.map((each) => heardIn(each, 'yesterday. news')));
  expect(Math.max(...counts)).toBe(0);
  expect(await newest()).toMatchObject({ state: 'sent', sent: 0, skipped: CHATS, waiting: 0 });
});

test('an announcement leaves part of the rate limit free, so alerts are sent immediately', async () => {
  s.advance(25 * HOUR_MS);
  const ann = await registerUser(s, 'ann', 'pro');
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const at = s.clock.now().toISOString();
  await db
    .updateTable('telegram_chats')
    .set({ user_id: ann.id })
    .where('chat_id', '=', chats[0] ?? 0)
    .execute();
  await db.updateTable('users').set({ notify_telegram: true }).where('id', '=', ann.id).execute();
  await close();
  await send('To everyone.');
  await deliver();
  const waiting = (await newest())?.waiting ?? 0;
  expect(waiting).toBeGreaterThan(0);
  const alert = (count: number) => createDraft(`now-${count}-${at}`, { own: { userId: ann.id, ruleId: 1 } });
  await raise(s, [alert(1)]);
  s.advance(1);
  await deliver();
  const heard = await chatWith(s, chats[0] ?? 0).heard();
  expect(heard.filter((each) => each.includes('This is now-1'))).toHaveLength(1);
  expect((await newest())?.waiting).toBe(waiting);
});
