import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Delivery, Notice, Outcome } from '#features/notifications/server/notifications/channel.ts';
import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { createBrowser, createSubscribedBrowser } from '#tests/support/push.ts';
import { NOON } from '#tests/support/start.ts';

const s = fileProduct();
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = openDatabase(s.connection, () => undefined, 1);
});
afterEach(() => {
  s.sandbox.faults.clear();
  s.clock.set(NOON);
});
afterAll(() => database.close());

const NOTICE: Notice = {
  kind: 'CUSTOM_THRESHOLD',
  category: 'rules',
  severity: 'medium',
  title: 'BTC above 100,000 USD – é 🚀',
  body: 'Bitcoin has reached 100,120 USD.',
  path: '/app/alerts',
  tag: 'rule-17',
  asset: 'BTC',
  metric: 'price',
  value: 100_120,
  at: NOON.toISOString(),
  source: 'CoinGecko',
  eventDate: null,
};

let names = 0;
const someone = () => registerUser(s, `reader${(names += 1)}`);
let ids = 0;
const deliveryTo = ({ id }: Pick<TestUser, 'id'>, change: Partial<Notice> = {}): Delivery => ({
  id: (ids += 1),
  userId: id,
  eventId: 1,
  channel: 'push',
  tries: 1,
  queuedAt: NOON.toISOString(),
  restartedAt: null,
  notice: { ...NOTICE, ...change },
});
const send = (...deliveries: Delivery[]): Promise<Outcome[]> =>
  s.product.push.channel.send(deliveries, AbortSignal.timeout(30_000));
const browsersLeft = async ({ get }: TestUser) =>
  (await get('/api/push/browsers')).json<{ browsers: unknown[] }>().browsers.length;

describe('a delivery', () => {
  test('is readable only by the browser: its content, with topic, lifetime and urgency', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'sent', note: 'to 1 browser' }]);
    const [received, ...more] = await browser.received();
    expect(more).toEqual([]);
    expect(received).toMatchObject({ topic: 'rule-17', ttl: 3600, urgency: 'normal' });
    expect(received?.message).toEqual({
      title: NOTICE.title,
      body: NOTICE.body,
      tag: 'rule-17',
      url: '/app/alerts',
      severity: 'medium',
      icon: '/icon-192.png',
      at: NOON.toISOString(),
    });
  });

  test('high severity is urgent', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    await send(deliveryTo(reader, { severity: 'high' }));
    expect((await browser.received())[0]?.urgency).toBe('high');
  });

  test.each([
    ['an hour from when it was queued', 20 * 60_000, {}, 2400],
    ['the hour begins when quiet hours let it go', 8 * 3_600_000, {}, 3600],
    ['a reminder ends with its event', 0, { eventDate: '2026-11-20T12:10:00.000Z' }, 600],
    ['of an event that has begun it goes at once or never', 0, { eventDate: '2026-11-20T11:00:00.000Z' }, 0],
    [
      'an event that takes all day is news on its day',
      0,
      { eventDate: '2026-11-20T00:00:00.000Z', allDay: true },
      3600,
    ],
  ])('expires with its usefulness: %s', async (_what, passed, event, ttl) => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    s.clock.advance(passed);
    await send(deliveryTo(reader, event));
    expect((await browser.received())[0]?.ttl).toBe(ttl);
  });

  test('a long body is truncated: a push service accepts 4096 bytes', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    expect(await send(deliveryTo(reader, { body: 'é'.repeat(5000) }))).toMatchObject([{ state: 'sent' }]);
    expect((await browser.received())[0]?.message['body']).toBe(`${'é'.repeat(599)}…`);
  });

  test('all browsers of a user are one delivery; outcomes are in delivery order', async () => {
    const [one, two, none] = [await someone(), await someone(), await someone()];
    const browsers = [
      await createSubscribedBrowser(s, two),
      await createSubscribedBrowser(s, one),
      await createSubscribedBrowser(s, two),
    ];
    expect(await send(deliveryTo(none), deliveryTo(two), deliveryTo(one))).toEqual([
      { state: 'dropped', note: 'No browser is subscribed' },
      { state: 'sent', note: 'to 2 browsers' },
      { state: 'sent', note: 'to 1 browser' },
    ]);
    for (const { received } of browsers) expect(await received()).toHaveLength(1);
  });

  test('an expired session receives nothing', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    s.advance(31 * 86_400_000);
    expect(await send(deliveryTo(reader))).toMatchObject([{ state: 'dropped' }]);
    expect(await browser.received()).toEqual([]);
  });

  test('recipients: everyone with a browser', async () => {
    const reader = await someone();
    const reach = async () => {
      const { rows } = await s.product.push.channel.reach.execute(database.db);
      return rows.map(({ user_id }) => user_id);
    };
    expect(await reach()).not.toContain(reader.id);
    await createSubscribedBrowser(s, reader);
    expect(await reach()).toContain(reader.id);
  });
});

describe('a push service', () => {
  test.each([404, 410])('%s: the browser is removed, and the delivery dropped with the last one', async (status) => {
    const reader = await someone();
    const gone = await createSubscribedBrowser(s, reader);
    const other = await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'server_error', status, path: `/${gone.id}` });
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'sent', note: 'to 1 browser' }]);
    expect(await browsersLeft(reader)).toBe(1);
    await other.end();
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'dropped', note: 'No browser is subscribed' }]);
    expect(await browsersLeft(reader)).toBe(0);
  });

  test.each([
    [429, { kind: 'rate_limit', retryAfter: 120 }, { afterMs: 120_000 }],
    [429, { kind: 'rate_limit', retryAfter: null }, {}],
    [503, { kind: 'server_error' }, {}],
  ] as const)('%s: retried after the wait it requests, %o', async (status, fault, wait) => {
    const reader = await someone();
    await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', ...fault });
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'later', note: `127.0.0.1 returned ${status}`, ...wait }]);
    expect(await browsersLeft(reader)).toBe(1);
  });

  test.each([400, 413])('%s: failed permanently and reported, the browser stays', async (status) => {
    const reader = await someone();
    await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'server_error', status });
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'failed', note: `127.0.0.1 returned ${status}` }]);
    expect(await browsersLeft(reader)).toBe(1);
    const reported = () =>
      database.db.selectFrom('error_logs').select('message').where('source', '=', 'push').execute();
    await expect.poll(reported).toContainEqual({ message: `Push message refused: 127.0.0.1 returned ${status}` });
  });

  test('that never responds times out after ten seconds and is retried', async () => {
    const reader = await someone();
    await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'timeout' });
    const soon = AbortSignal.timeout(300);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    const outcomes = await s.product.push.channel.send([deliveryTo(reader)], new AbortController().signal);
    expect(outcomes).toEqual([{ state: 'later', note: '127.0.0.1 did not respond within 10 s' }]);
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
  });

  test('a canceled batch waits for another attempt', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    const outcomes = await s.product.push.channel.send([deliveryTo(reader)], AbortSignal.abort());
    expect(outcomes).toEqual([{ state: 'later', note: 'Interrupted' }]);
    expect(await browser.received()).toEqual([]);
  });

  test('a redirect is not followed, and an unreachable service is retried', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    const elsewhere = createServer((_, response) => response.writeHead(307, { location: browser.endpoint }).end());
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const endpoint = `${origin}/push/a`;
    await database.db.updateTable('push_browsers').set({ endpoint }).where('endpoint', '=', browser.endpoint).execute();
    const { channel } = (await s.another({ PUSH_TEST_ORIGIN: origin })).push;
    const send = () => channel.send([deliveryTo(reader)], new AbortController().signal);
    const later = { state: 'later', note: expect.stringContaining('127.0.0.1 is unreachable') };
    expect(await send()).toEqual([later]);
    expect(await browser.received()).toEqual([]);
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
    expect(await send()).toEqual([later]);
  });

  test('one accepts it and one is busy: it is sent', async () => {
    const reader = await someone();
    const busy = await createSubscribedBrowser(s, reader);
    await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'rate_limit', path: `/${busy.id}` });
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'sent', note: 'to 1 browser' }]);
  });

  test('rejects a sender other than the one the browser subscribed to', async () => {
    const reader = await someone();
    const base = `${s.sandbox.origin}/push/browsers`;
    const body = JSON.stringify({ applicationServerKey: (await createBrowser(s)).keys.p256dh });
    const browser = (await (await fetch(base, { method: 'POST', body })).json()) as { endpoint: string; keys: object };
    await reader.post('/api/push/subscribe', { endpoint: browser.endpoint, keys: browser.keys });
    expect(await send(deliveryTo(reader))).toEqual([{ state: 'failed', note: '127.0.0.1 returned 403' }]);
  });
});

describe('an address that is no longer allowed', () => {
  test('is never contacted: its browser is removed', async () => {
    const reader = await someone();
    const browser = await createSubscribedBrowser(s, reader);
    const endpoint = browser.endpoint.replace('127.0.0.1', 'localhost');
    await database.db.updateTable('push_browsers').set({ endpoint }).where('endpoint', '=', browser.endpoint).execute();
    expect(await send(deliveryTo(reader))).toMatchObject([{ state: 'dropped' }]);
    expect(await browser.received()).toEqual([]);
  });
});
