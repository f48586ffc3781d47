import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConnectionLimit } from '#app/server/app.ts';
import type { Product } from '#app/server/product.ts';
import { hashPassword } from '#features/accounts/server/auth/passwords.ts';
import { openReader } from '#kernel/live/fixtures/reader.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import {
  contactRequest,
  fromOwnNetwork,
  newChallenge,
  type RequestSpec,
  sendConcurrently,
} from '#tests/support/concurrent.ts';
import { type NameServer, startNameServer } from '#tests/support/dns-server.ts';
import { createTwoFactorUser, invalidCode, startSignIn } from '#tests/support/passkey.ts';
import { registerUser } from '#tests/support/people.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { storeHistory } from '#tests/support/stored-past.ts';
import { createWebhook } from '#tests/support/webhook-receiver.ts';

const EXPORTS = 3;
const ENV = { EMAIL_CONFIRMATION: 'off', TELEGRAM_BOT_TOKEN: '1:x', EXPORTS_PER_DAY: String(EXPORTS) };
/** More calls than a limit allows, half of them to each process. */
const OVER = 6;
const SITE = 'https://meridian.example';

let s: TestProduct;
let names: NameServer;
let products: Product[];
beforeAll(async () => {
  names = await startNameServer();
  s = await start({ env: { ...ENV, WEBHOOK_DNS: names.address, PUBLIC_URL: SITE } });
  await storeHistory(s);
  products = [s.product, await s.another()];
}, 120_000);
afterAll(async () => {
  await s.stop();
  await names.close();
});

const byWho = async (name: string, plan: 'free' | 'pro' | 'premium' = 'free') => registerUser(s, name, plan);
const stranger = (n: number) => `no${n}@people.example`;
const pair = createECDH('prime256v1');
/** Of a nonexistent browser. */
const subscription = (n: number) => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/none-${n}`,
  keys: { p256dh: pair.generateKeys('base64url'), auth: Buffer.alloc(16, n).toString('base64url') },
});

const post = (url: string, body: object, token?: string) => ({ url, body, ...(token ? { token } : {}) });
const LIMITS: [what: string, most: number, make: () => Promise<(n: number) => RequestSpec | Promise<RequestSpec>>][] = [
  [
    'sign-ins to one address from one network',
    10,
    async () => {
      const { email } = await byWho('signs-in');
      return () => post('/api/auth/login', { email, password: 'wrong' });
    },
  ],
  ['sign-ups', 30, async () => (n) => post('/api/auth/register', { email: stranger(n), password: 'password' })],
  ['asking for a new password', 30, async () => (n) => post('/api/auth/forgot-password', { email: stranger(n) })],
  ['asking for a confirmation', 30, async () => (n) => post('/api/auth/resend-confirmation', { email: stranger(n) })],
  ['a new password', 30, async () => () => post('/api/auth/reset-password', { token: 'none', newPassword: 'x' })],
  ['sign-ins by passkey', 100, async () => () => post('/api/auth/passkey/login', { challenge: 'none', response: {} })],
  ['options of passkeys', 300, async () => () => ({ url: '/api/auth/passkey/options' })],
  ['links that are not ours', 30, async () => () => ({ method: 'GET', url: '/api/unsubscribe?t=x' })],
  ['messages from one network', 5, async () => async () => contactRequest(await newChallenge(s))],
  ['answers to sums from one network', 60, async () => async () => contactRequest(await newChallenge(s), 999)],
  [
    'errors told by browsers',
    30,
    async () => () => ({
      ...post('/api/errors/client', { kind: 'error', message: 'x', path: '/' }),
      headers: { origin: SITE },
    }),
  ],
  [
    'proofs of one person',
    10,
    async () => {
      const { token } = await byWho('proves');
      return () => post('/api/auth/reauthenticate', { password: 'wrong' }, token);
    },
  ],
  [
    'codes of the second factor',
    5,
    async () => {
      const { email, secret } = await createTwoFactorUser(s, 'guarded');
      const challenge = await startSignIn(s, email);
      return () => post('/api/auth/two-factor', { challenge, code: invalidCode(secret, s.clock.now()) });
    },
  ],
  [
    'codes for Telegram',
    10,
    async () => {
      const { token } = await byWho('chats', 'pro');
      return () => ({ url: '/api/telegram/generate-code', token });
    },
  ],
  [
    'API keys made anew in an hour',
    59,
    async () => {
      const { token, ...who } = await byWho('keys', 'pro');
      const { id } = await makeKey({ token, ...who });
      return () => ({ ...post(`/api/keys/${id}/regenerate`, {}, token), method: 'PUT' });
    },
  ],
  [
    'exports of a day',
    EXPORTS,
    async () => {
      const { token } = await byWho('exports', 'pro');
      return () => post('/api/exports/create', { dataType: 'crypto_prices', dateRange: '7d', format: 'csv' }, token);
    },
  ],
  [
    'tests of push notifications',
    10,
    async () => {
      const { token } = await byWho('pushes');
      return () => post('/api/push/test', { title: 'x', body: 'x', icon: '/x.png' }, token);
    },
  ],
  [
    'tests of webhooks',
    10,
    async () => {
      const who = await byWho('hooks', 'premium');
      const { at } = await createWebhook(who, { url: 'https://nowhere.example.com/x' });
      return () => ({ url: `${at}/test`, token: who.token });
    },
  ],
  [
    'subscriptions to push notifications',
    60,
    async () => {
      const { token } = await byWho('subscribes');
      return (n) => post('/api/push/subscribe', subscription(n), token);
    },
  ],
];

describe('limits shared by all processes', () => {
  test.each(LIMITS)('%s: allows %i concurrent calls and no more', async (_what, most, make) => {
    const call = fromOwnNetwork(await make());
    const answers = await sendConcurrently(products, most + OVER, call);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    const broken = answers.filter(({ statusCode }) => statusCode >= 500).map(({ body }) => body);
    expect([answers.length - refused.length, broken]).toEqual([most, []]);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    for (const product of products) expect((await call(product, most + OVER)).statusCode).toBe(429);
  });

  test('emails to one address: three are sent, regardless of requester and origin', async () => {
    const { email } = await byWho('forgets');
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        fromOwnNetwork(() => ({ url: '/api/auth/forgot-password', body: { email } }))(products[n % 2] as Product, n),
      ),
    );
    for (const product of products) await product.auth.settled();
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from mail_outbox
      where address = ${email} and kind like '%reset%'`.execute(s.product.market.ctx.db);
    expect(rows[0]?.n).toBe(3);
  });
});

describe('connections', () => {
  /** The server's response to raw text, until it closes the connection. */
  async function answerTo(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let said = '';
    socket.on('data', (part: string) => (said += part)).on('error', () => undefined);
    socket.write(text);
    await once(socket, 'close');
    return said;
  }

  test('caps streams per network while still serving another network and this machine', async () => {
    const product = await s.another({ TRUST_PROXY: '1', STREAMS_PER_NETWORK: '2' });
    const { port } = await product.listen();
    const from = (ip: string) => openReader(`http://127.0.0.1:${port}/api/stream`, { 'x-forwarded-for': ip });
    const [first, second] = [await from('203.0.113.1'), await from('203.0.113.2')];
    const third = await from('203.0.113.3');
    expect(third.response.statusCode).toBe(429);
    expect(Number(third.response.headers['retry-after'])).toBeGreaterThan(0);
    const others = [
      await from('198.51.100.1'),
      await from('127.0.0.1'),
      await from('127.0.0.1'),
      await from('127.0.0.1'),
    ];
    expect(others.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200]);
    first.close();
    await expect
      .poll(async () => {
        const next = await from('203.0.113.4');
        next.close();
        return next.response.statusCode;
      })
      .toBe(200);
    for (const reader of [second, ...others]) reader.close();
  });

  test('caps connections per network', () => {
    const take = createConnectionLimit(2);
    const [first] = [take('203.0.113.1'), take('::ffff:203.0.113.9')];
    expect(take('203.0.113.2')).toBeNull();
    first?.();
    expect(take('203.0.113.2')).not.toBeNull();
    expect([take('2001:db8:1::1'), take('2001:db8:1:2::1'), take('2001:db8:1::2'), take('2001:db8:2::1')]).toEqual([
      expect.any(Function),
      expect.any(Function),
      null,
      expect.any(Function),
    ]);
  });

  test('cuts off a slowly sent request and rejects one with two hosts', async () => {
    const { port } = await s.product.listen();
    const { server } = s.product.app;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([20_000, 60_000]);
    Object.assign(server, { headersTimeout: 200, requestTimeout: 300 });
    try {
      const head =
        'POST /api/auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{';
      expect(await answerTo(port, head)).toMatch(/^HTTP\/1\.1 400 /);
    } finally {
      Object.assign(server, { headersTimeout: 20_000, requestTimeout: 60_000 });
    }
    for (const path of ['/', '/api/dashboard', '/api/auth/options'])
      expect(await answerTo(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 400 [\s\S]*"A request must name exactly one host"/,
      );
  });
});

test('a caller waiting too long for a password check is refused with a retry time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const checks = Array.from({ length: 40 }, () => hashPassword('a password of some length'));
    const outcomes = Promise.allSettled(checks);
    vi.advanceTimersByTime(10_000);
    const refused = (await outcomes).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(30);
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
  } finally {
    vi.useRealTimers();
  }
  expect(await hashPassword('a password of some length')).toMatch(/^\$argon2id/);
});
