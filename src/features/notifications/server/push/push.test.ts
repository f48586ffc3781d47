import { createECDH } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Delivery } from '#features/notifications/contract/notifications.ts';
import { openDatabase } from '#kernel/db.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { createBrowser, createSubscribedBrowser, toSubscription } from '#tests/support/push.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct();
const ann = member(s, 'ann');
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = openDatabase(s.connection, () => undefined, 1);
});
afterEach(() => s.sandbox.faults.clear());
afterAll(() => database.close());

const endpointsOf = async ({ get }: TestUser): Promise<string[]> =>
  (await get('/api/push/browsers')).json<{ browsers: { endpoint: string }[] }>().browsers.map((each) => each.endpoint);

describe('GET /api/push/vapid-public-key', () => {
  test('200: a point of 65 bytes, the same in every process; its private half is sealed', async () => {
    const { publicKey } = (await ann.get('/api/push/vapid-public-key')).json<{ publicKey: string }>();
    expect(publicKey).toMatch(/^B[\w-]{86}$/);
    const another = await s.another();
    expect(await another.push.ctx.vapid.publicKey()).toBe(publicKey);
    const rows = await database.db.selectFrom('push_keys').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed_private_key).toMatch(/^v2\.[0-9a-f]{16}\./);
  });

  test('processes that start concurrently agree on one pair', async () => {
    await database.db.deleteFrom('push_keys').execute();
    const others = await Promise.all([s.another(), s.another(), s.another()]);
    const keys = await Promise.all(others.map(({ push }) => push.ctx.vapid.publicKey()));
    expect(new Set(keys).size).toBe(1);
  });

  test('a pair with a lost private half is replaced, and its browsers are removed', async () => {
    const before = await ann.get('/api/push/vapid-public-key');
    await createSubscribedBrowser(s, ann);
    await database.db.updateTable('push_keys').set({ sealed_private_key: 'v1.sealed-by-another-key' }).execute();
    const { push } = await s.another();
    expect(await push.ctx.vapid.publicKey()).toMatch(/^B[\w-]{86}$/);
    expect(await push.ctx.vapid.publicKey()).not.toBe(before.json<{ publicKey: string }>().publicKey);
    expect(await endpointsOf(ann)).toEqual([]);
  });
});

describe('POST /api/push/subscribe', () => {
  test('200: lists the browser with its device; a repeat changes nothing', async () => {
    const ben = await registerUser(s, 'ben');
    const browser = await createBrowser(s);
    const headers = { authorization: `Bearer ${ben.token}`, 'user-agent': 'Mozilla/5.0 (X11; Linux) Chrome/140.0' };
    for (let i = 0; i < 2; i++) {
      const payload = toSubscription(browser);
      const answer = await s.product.app.inject({ method: 'POST', url: '/api/push/subscribe', headers, payload });
      expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    }
    expect((await ben.get('/api/push/browsers')).json()).toEqual({
      browsers: [
        {
          id: expect.any(Number),
          endpoint: browser.endpoint,
          device: 'Chrome on Linux',
          createdAt: s.clock.now().toISOString(),
        },
      ],
      simulated: false,
    });
  });

  test('a browser moves to the user who subscribed it last', async () => {
    const [cat, dan] = [await registerUser(s, 'cat'), await registerUser(s, 'dan')];
    const browser = await createSubscribedBrowser(s, cat);
    await dan.post('/api/push/subscribe', toSubscription(browser));
    expect([await endpointsOf(cat), await endpointsOf(dan)]).toEqual([[], [browser.endpoint]]);
  });

  test('a user has twenty browsers at most: the oldest is removed, a resubscribed one is the newest', async () => {
    const eve = await registerUser(s, 'eve');
    const browsers = await Promise.all(Array.from({ length: 21 }, () => createBrowser(s)));
    const [first, second, ...rest] = browsers.map(toSubscription);
    for (const each of [first, second, ...rest.slice(0, 18), first, rest[18]])
      await eve.post('/api/push/subscribe', each);
    const kept = await endpointsOf(eve);
    expect(kept).toHaveLength(20);
    expect(kept).toContain(first?.endpoint);
    expect(kept).not.toContain(second?.endpoint);
  });

  test('ends with its session: signing out removes the browser, another session of the user does not', async () => {
    const fay = await registerUser(s, 'fay');
    await createSubscribedBrowser(s, fay);
    const login = await sendRequest(s, 'POST', '/api/auth/login', { email: fay.email, password: 'Three-Rivers-29!' });
    const other = { ...fay, token: login.json<{ token: string }>().token };
    await sendRequest(s, 'POST', '/api/auth/logout', {}, { token: fay.token });
    const { browsers } = (await sendRequest(s, 'GET', '/api/push/browsers', undefined, other)).json<{
      browsers: unknown[];
    }>();
    expect(browsers).toEqual([]);
  });

  test('keys may use the other base64 alphabet, with padding', async () => {
    const gil = await registerUser(s, 'gil');
    const { endpoint, keys } = await createBrowser(s);
    const standard = (text: string) => Buffer.from(text, 'base64url').toString('base64');
    const both = { p256dh: standard(keys.p256dh), auth: standard(keys.auth) };
    expect((await gil.post('/api/push/subscribe', { endpoint, keys: both })).statusCode).toBe(200);
    const row = await database.db.selectFrom('push_browsers').selectAll().where('endpoint', '=', endpoint).execute();
    expect(row[0]).toMatchObject(keys);
  });

  test.each([
    ['https://fcm.googleapis.com/fcm/send/abc:def'],
    ['https://updates.push.services.mozilla.com/wpush/v2/gAAAA'],
    ['https://wns2-par02p.notify.windows.com/w/?token=BQYAAAA%3d'],
    ['https://web.push.apple.com/QGuQyavXutnMH'],
  ])('accepts the service of a browser and unsubscribes it, also twice: %s', async (endpoint) => {
    const { keys } = await createBrowser(s);
    expect((await ann.post('/api/push/subscribe', { endpoint, keys })).statusCode).toBe(200);
    expect(await endpointsOf(ann)).toEqual([endpoint]);
    for (let i = 0; i < 2; i++)
      expect((await ann.post('/api/push/unsubscribe', { endpoint })).json()).toEqual({ success: true });
    expect(await endpointsOf(ann)).toEqual([]);
  });

  test.each([
    ['a lookalike before', 'https://evilfcm.googleapis.com/a'],
    ['a lookalike with a dash', 'https://evil-push.apple.com/a'],
    ['a domain that ends alike', 'https://evilpush.apple.com/a'],
    ['the bare domain', 'https://push.services.mozilla.com/a'],
    ['a trailing dot', 'https://fcm.googleapis.com./a'],
    ['a user alone', 'https://user@fcm.googleapis.com/a'],
    ['a user of the right host', 'https://user:secret@fcm.googleapis.com/a'],
    ['a backslash', 'https://127.0.0.1\\@fcm.googleapis.com/a'],
    ['a fragment', 'https://fcm.googleapis.com/a#b'],
    ['another port of this machine', 'http://127.0.0.1:1/a'],
    ['no address', 'fcm.googleapis.com/a'],
  ])('rejects %s', async (_what, endpoint) => {
    const { keys } = await createBrowser(s);
    const answer = await ann.post('/api/push/subscribe', { endpoint, keys });
    expect(statusAndMessage(answer)).toEqual([400, 'The endpoint does not belong to a known push service']);
  });

  /** The same point in hybrid form, tagged with its half of the curve. */
  function hybrid(): string {
    const point = createECDH('prime256v1').generateKeys();
    point[0] = 6 + (point.readUInt8(64) % 2);
    return point.toString('base64url');
  }
  const POINT = 'keys.p256dh: must be a 65-byte public key on the P-256 curve';
  test.each([
    ['a key that is too short', { p256dh: 'BAAA' }, POINT],
    ['65 bytes that are no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }, POINT],
    ['a point in another form', { p256dh: hybrid() }, POINT],
    ['a secret of 15 bytes', { auth: Buffer.alloc(15).toString('base64url') }, 'keys.auth: must be 16 bytes'],
    ['what is not base64', { auth: 'no!' }, 'keys.auth: must be base64'],
    ['more than was asked for', { more: 1 }, 'keys: Unrecognized key: "more"'],
  ])('rejects %s', async (_what, change, error) => {
    const { endpoint, keys } = await createBrowser(s);
    const answer = await ann.post('/api/push/subscribe', { endpoint, keys: { ...keys, ...change } });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error, code: 'bad_request' }]);
  });
});

test('deleting an account removes its browsers', async () => {
  const kim = await registerUser(s, 'kim');
  const { endpoint } = await createSubscribedBrowser(s, kim);
  expect((await kim.remove('/api/auth/delete-account')).statusCode).toBe(200);
  const rows = await database.db.selectFrom('push_browsers').select('id').where('endpoint', '=', endpoint).execute();
  expect(rows).toEqual([]);
});

/** A Pro user with push enabled. */
async function reader(name: string): Promise<TestUser> {
  const someone = await registerUser(s, name, 'pro');
  const notifications = { email: true, push: true, telegram: false };
  const answer = await someone.put('/api/profile', { email: someone.email, notifications });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return someone;
}

const logOf = async ({ get }: TestUser) =>
  (await get('/api/notifications/deliveries'))
    .json<{ deliveries: Delivery[] }>()
    .deliveries.filter(({ channel }) => channel === 'push');
const deliver = () => s.product.notifications.deliver();

test('an alert reaches the browser of a user with push enabled, and is logged', async () => {
  const [ann, ben] = [await reader('reader-a'), await registerUser(s, 'reader-b', 'pro')];
  const [on, off] = [await createSubscribedBrowser(s, ann), await createSubscribedBrowser(s, ben)];
  await raise(s, [createDraft('first')]);
  await deliver();
  expect(await on.received()).toMatchObject([
    { ttl: 3600, message: { title: 'Stablecoin supply ratio', body: 'This is first', url: '/app/alerts' } },
  ]);
  expect(await off.received()).toEqual([]);
  expect(await logOf(ann)).toMatchObject([{ channel: 'push', state: 'sent', note: 'to 1 browser', tries: 1 }]);
});

test('a removed browser is no failure; without one nothing is created', async () => {
  const dan = await reader('reader-d');
  const browser = await createSubscribedBrowser(s, dan);
  await browser.end();
  await raise(s, [createDraft('gone')]);
  await deliver();
  expect(await logOf(dan)).toMatchObject([{ state: 'dropped', note: 'No browser is subscribed' }]);
  await raise(s, [createDraft('nobody')]);
  await deliver();
  expect(await logOf(dan)).toHaveLength(1);
});

describe('POST /api/push/test', () => {
  let names = 0;
  const someone = (): Promise<TestUser> => registerUser(s, `tester${(names += 1)}`);
  const TEST = { title: 'Test Notification', body: 'This is a test', icon: '/favicon.ico' };

  test('200: reaches every browser of the caller concurrently', async () => {
    const reader = await someone();
    const browsers = [await createSubscribedBrowser(s, reader), await createSubscribedBrowser(s, reader)];
    expect((await reader.post('/api/push/test', TEST)).json()).toEqual({ success: true, browsers: 2 });
    for (const { received } of browsers) {
      expect((await received())[0]).toMatchObject({ topic: 'test-notification', ttl: 60, message: TEST });
    }
  });

  test('409 without a browser, 503 when no push service accepts it', async () => {
    const reader = await someone();
    const none = await reader.post('/api/push/test', TEST);
    expect(statusAndMessage(none)).toEqual([409, 'No browser is subscribed to push notifications']);
    await createSubscribedBrowser(s, reader);
    s.sandbox.faults.set({ provider: 'push', kind: 'server_error' });
    const down = await reader.post('/api/push/test', TEST);
    expect(statusAndMessage(down)).toEqual([503, 'The push service rejected the notification: 127.0.0.1 returned 503']);
  });

  test.each([
    ['two lines', { title: 'a\nb' }, 'title: must be a single line'],
    ['a field that is not known', { url: 'https://evil.example' }, 'Unrecognized key: "url"'],
  ])('400: %s', async (_what, change, error) => {
    const reader = await someone();
    const answer = await reader.post('/api/push/test', { ...TEST, ...change });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error, code: 'bad_request' }]);
  });
});
