import { afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Delivery, Outcome } from '#features/notifications/server/notifications/channel.ts';
import { openDatabase } from '#kernel/db.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';
import { BOT_TOKEN, createConnectedUser, readStatus } from '#tests/support/telegram.ts';

const s = fileProduct({ env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, PUBLIC_URL: 'https://meridian.example' } });
beforeAll(async () => {
  s.product.telegram.work();
});
afterEach(() => s.sandbox.faults.clear());

const SEND = { provider: 'telegram', path: '/bot*/sendMessage', count: 1 } as const;
let id = 0;

function to(userId: number, change: Partial<Delivery['notice']> = {}): Delivery {
  id += 1;
  return {
    id,
    userId,
    eventId: id,
    channel: 'telegram',
    tries: 1,
    queuedAt: s.clock.now().toISOString(),
    restartedAt: null,
    notice: {
      kind: 'CUSTOM_THRESHOLD',
      category: 'rules',
      severity: 'high',
      title: 'Bitcoin above 90,000 USD',
      body: 'Your rule has fired.',
      path: '/app/alerts',
      tag: 'rule-1',
      asset: 'BTC',
      metric: 'btc_price',
      value: 90_123.5,
      at: new Date(s.clock.now().getTime() - 5 * 60_000).toISOString(),
      source: 'OKX',
      eventDate: null,
      ...change,
    },
  };
}

const send = (deliveries: Delivery[], signal = new AbortController().signal): Promise<Outcome[]> =>
  s.product.telegram.channel.send(deliveries, signal);
const tell = async (userId: number, change?: Partial<Delivery['notice']>) => (await send([to(userId, change)]))[0];

async function reached(): Promise<number[]> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const { rows } = await s.product.telegram.channel.reach.execute(db);
  await close();
  return rows.map((row) => row.user_id);
}

describe('a message', () => {
  test('contains title, body, value with source and age, and a link', async () => {
    const { who, chat } = await createConnectedUser(s, 'ann', 401);
    expect(await tell(who.id)).toEqual({ state: 'sent' });
    const last = (await chat.read()).messages.at(-1);
    expect(last?.text).toBe(
      '🔴 Bitcoin above 90,000 USD\nYour rule has fired.\nBitcoin price: $90,123.50 (OKX, 5 min old)\nOpen in Meridian',
    );
    expect(last?.markup).toContain('<a href="https://meridian.example/app/alerts">Open in Meridian</a>');
  });

  test('an AI direction is shown by its word', async () => {
    const { who, chat } = await createConnectedUser(s, 'dir', 412);
    await tell(who.id, { metric: 'ai_prediction_overall', value: 1, source: 'Venice' });
    expect((await chat.heard()).at(-1)).toContain('AI prediction, overall: Bullish (Venice, 5 min old)');
  });

  test('user text is escaped, never markup', async () => {
    const { who, chat } = await createConnectedUser(s, 'bob', 402);
    const title = '<b>AT&T</b> </a><script> > 5 "quoted"';
    expect(await tell(who.id, { title, asset: null, metric: null, value: null, source: null })).toEqual({
      state: 'sent',
    });
    expect((await chat.heard()).at(-1)).toBe(`🔴 ${title}\nYour rule has fired.\nSource: 5 min old\nOpen in Meridian`);
  });
});

describe('reach', () => {
  test('users who are connected and have not stopped the bot', async () => {
    const { who: cat } = await createConnectedUser(s, 'cat', 403);
    const { who: dan, chat } = await createConnectedUser(s, 'dan', 404);
    expect(await reached()).toEqual(expect.arrayContaining([cat.id, dan.id]));
    await chat.block();
    await expect.poll(reached).not.toContain(dan.id);
    await cat.post('/api/telegram/disconnect');
    expect(await reached()).not.toContain(cat.id);
    expect([(await tell(cat.id))?.state, (await tell(dan.id))?.state]).toEqual(['dropped', 'dropped']);
  });

  test('403: a chat that silently stopped the bot is dropped, blocked and not connected', async () => {
    const { who, chat } = await createConnectedUser(s, 'eve', 405);
    await chat.block(true);
    expect((await readStatus(who)).verified).toBe(true);
    expect(await tell(who.id)).toEqual({ state: 'dropped', note: 'The chat has blocked the bot' });
    expect(await readStatus(who)).toMatchObject({ verified: false, blocked: true });
    expect(await reached()).not.toContain(who.id);
    expect(await chat.sendAndReadReply('/start')).toBe('Welcome back. This chat is connected again.');
    expect(await tell(who.id)).toEqual({ state: 'sent' });
  });

  test('400 chat not found is dropped, another 400 fails permanently', async () => {
    const { who, chat } = await createConnectedUser(s, 'fay', 406);
    expect(await tell(who.id, { body: 'x'.repeat(5000) })).toEqual({
      state: 'failed',
      note: 'Telegram rejected the message: Bad Request: message is too long',
    });
    await chat.forget();
    expect((await tell(who.id))?.state).toBe('dropped');
    expect((await readStatus(who)).verified).toBe(false);
  });
});

describe('errors', () => {
  test('429: retried after the wait Telegram requests; until then nothing is sent', async () => {
    const { who: gil } = await createConnectedUser(s, 'gil', 407);
    const { who: hal, chat } = await createConnectedUser(s, 'hal', 408);
    s.sandbox.faults.set({ ...SEND, kind: 'rate_limit', retryAfter: 7 });
    expect(await tell(gil.id)).toEqual({ state: 'later', note: 'Telegram rate limit: retry in 7 s', afterMs: 7000 });
    const before = (await chat.heard()).length;
    expect(await tell(hal.id)).toEqual({ state: 'later', note: 'Telegram rate limit', afterMs: 7000 });
    expect(await chat.heard()).toHaveLength(before);
    s.advance(7000);
    expect([await tell(gil.id), await tell(hal.id)]).toEqual([{ state: 'sent' }, { state: 'sent' }]);
  });

  test('502, invalid responses and process shutdown: retried', async () => {
    const { who } = await createConnectedUser(s, 'ida', 409);
    s.sandbox.faults.set({ ...SEND, kind: 'server_error' });
    expect(await tell(who.id)).toEqual({ state: 'later', note: 'Telegram responded with 502: Bad Gateway' });
    s.advance(1000);
    s.sandbox.faults.set({ ...SEND, kind: 'malformed' });
    expect(await tell(who.id)).toEqual({ state: 'later', note: 'Telegram could not be reached' });
    s.advance(1000);
    s.sandbox.faults.set({ ...SEND, kind: 'timeout' });
    const ending = new AbortController();
    const sending = send([to(who.id)], ending.signal);
    setTimeout(() => ending.abort(), 200);
    expect((await sending)[0]).toMatchObject({ state: 'later' });
    expect((await send([to(who.id)], AbortSignal.abort()))[0]).toMatchObject({ state: 'later', afterMs: 0 });
  });

  test('a chat gets one message per second, whichever process sends; a long queue does not block others', async () => {
    const { who: jan, chat } = await createConnectedUser(s, 'jan', 410);
    const { who: kim } = await createConnectedUser(s, 'kim', 411);
    const before = (await chat.heard()).length;
    const { skipped, restore } = skipTimers(1000, 3000);
    const outcomes = await send([to(jan.id), to(kim.id), to(jan.id)]);
    expect(outcomes.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
    expect(await chat.heard()).toHaveLength(before + 2);
    // The clock is frozen, so slots add up: two are taken.
    const other = await s.another();
    const rest = await other.telegram.channel.send(
      Array.from({ length: 3 }, () => to(jan.id)),
      new AbortController().signal,
    );
    expect(rest.map(({ state }) => state)).toEqual(['sent', 'sent', 'later']);
    restore();
    expect(rest[2]).toMatchObject({ afterMs: 4000 });
    expect(skipped).toEqual(expect.arrayContaining([1000, 2000, 3000]));
  });
});

test('an alert reaches the connected chat of a subscribed user, once', async () => {
  const { who: zoe, chat } = await createConnectedUser(s, 'zoe', 801);
  const { who: silent, chat: other } = await createConnectedUser(s, 'silent', 802);
  const off = { email: false, push: false, telegram: false };
  await silent.put('/api/profile', { email: silent.email, notifications: off });
  const before = (await other.heard()).length;
  for (const who of [zoe, silent])
    await raise(s, [
      createDraft(`of ${who.id}`, {
        own: { userId: who.id, ruleId: 1 },
        metric: 'btc_price',
        value: 90_500,
        source: 'OKX',
      }),
    ]);
  await s.product.notifications.deliver();
  expect((await chat.heard()).at(-1)).toContain(`This is of ${zoe.id}\nBitcoin price: $90,500.00 (OKX, `);
  const log = (await zoe.get('/api/notifications/deliveries')).json<{ deliveries: { channel: string }[] }>();
  expect(log.deliveries.filter(({ channel }) => channel === 'telegram')).toMatchObject([
    { state: 'sent', tries: 1, note: null },
  ]);
  const sent = (await chat.heard()).length;
  await s.product.notifications.deliver();
  expect(await chat.heard()).toHaveLength(sent);
  expect(await other.heard()).toHaveLength(before);
});
