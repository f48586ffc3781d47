import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorLog } from '#features/operations/contract/error-logs.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';

const HOUR_MS = 3_600_000;
const HOST = 'meridian.example';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
const TOKEN = 'a9F3kQ7zL1mX8vB2nC5dR6tY0uE4wS';

const s = fileProduct({ env: { PUBLIC_URL: 'https://app.meridian.example' } });
let admin: TestUser;
let network = 0;
beforeAll(async () => {
  admin = await registerUser(s, 'root', 'admin');
});
const db = () => s.product.market.ctx.db;
beforeEach(async () => {
  s.advance(HOUR_MS);
  network += 1;
  admin = await signInAgain(s, admin);
  await db().deleteFrom('error_groups').execute();
});

const GOOD = { kind: 'error', message: 'TypeError: x is not a function', path: '/app/alerts' };
type Sent = { headers?: Record<string, string>; ip?: string };
const send = (body: object | string, { headers = {}, ip = `10.2.${network}.7` }: Sent = {}) =>
  s.product.app.inject({
    method: 'POST',
    url: '/api/errors/client',
    remoteAddress: ip,
    headers: {
      host: HOST,
      origin: `https://${HOST}`,
      'user-agent': CHROME,
      'content-type': 'application/json',
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
const list = async () => (await admin.get('/api/errors')).json<{ errors: ErrorLog[] }>().errors;
const written = async (count: number) => {
  await expect
    .poll(async () => (await list()).reduce((sum, each) => sum + each.count, 0), { timeout: 5000 })
    .toBe(count);
  return list();
};

describe('POST /api/errors/client', () => {
  test('200: stored as a browser error, with page, stack and kind of browser', async () => {
    const answer = await send({
      ...GOOD,
      stack: 'TypeError: x is not a function\n    at f (https://m.example/assets/app.js:1:2)',
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    const [error] = await written(1);
    expect(error).toMatchObject({ source: 'browser', type: 'system', message: GOOD.message, requestId: null });
    expect(JSON.parse(error?.details ?? '')).toEqual({
      kind: 'error',
      page: '/app/alerts',
      browser: 'Chrome on Windows',
      stack: 'TypeError: x is not a function\n    at f (https://m.example/assets/app.js:1:2)',
    });
  });

  test('nothing personal is stored: queries, tokens, addresses, the account', async () => {
    await send(
      {
        kind: 'rejection',
        message: `Call of https://ann:pw@m.example/api/x?token=${TOKEN}#part by ann.lee+x@mail.example from 203.0.113.9 failed ${TOKEN}`,
        stack: `at /reset-password?token=${TOKEN} (https://m.example/a.js?user=ann:1:2) eyJhbGciOi.eyJzdWIi.sig Bearer abc`,
        path: `/reset-password?token=${TOKEN}`,
      },
      { headers: { authorization: `Bearer ${admin.token}` } },
    );
    const [error] = await written(1);
    expect(error?.message).toBe('Call of https://m.example/api/x by [address] from [address] failed [redacted]');
    expect(JSON.parse(error?.details ?? '')).toEqual({
      kind: 'rejection',
      page: '/reset-password',
      browser: 'Chrome on Windows',
      stack: 'at /reset-password (https://m.example/a.js) [redacted] Bearer [redacted]',
    });
    const rows = await db().selectFrom('error_logs').selectAll().execute();
    const text = JSON.stringify([rows, error]);
    for (const part of [TOKEN, 'ann', 'mail.example', '203.0', admin.token, '10.2.']) expect(text).not.toContain(part);
  });

  test('script remains text, and lines of a message are joined', async () => {
    await send({ ...GOOD, message: '<script>alert(1)</script>\n{"level":"fatal"}' });
    expect((await written(1))[0]?.message).toBe('<script>alert(1)</script> {"level":"fatal"}');
  });

  test.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['no page', { origin: '' }],
    ['a page without an origin', { origin: 'null' }],
    ['the name of ours within another', { origin: `https://${HOST}.evil.example` }],
  ])('403: %s', async (_what, headers) => {
    const answer = await send(GOOD, { headers });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      403,
      'Only pages on this site may report errors',
    ]);
  });

  test('200: the address in PUBLIC_URL is accepted behind a proxy too', async () => {
    expect(
      (await send(GOOD, { headers: { host: '127.0.0.1:3000', origin: 'https://app.meridian.example' } })).statusCode,
    ).toBe(200);
    await written(1);
  });

  test.each([
    ['a kind there is not', { ...GOOD, kind: 'fatal' }],
    ['a field more', { ...GOOD, type: 'authentication' }],
    ['no message', { kind: 'error', path: '/app' }],
    ['a message of 501 characters', { ...GOOD, message: 'x'.repeat(501) }],
    ['a stack of 4,001', { ...GOOD, stack: 'x'.repeat(4001) }],
    ['a path of 201', { ...GOOD, path: `/${'x'.repeat(200)}` }],
    ['half a JSON', '{"kind":'],
  ])('400: %s', async (_what, body) => {
    expect((await send(body)).statusCode).toBe(400);
  });

  test('413: more than all texts at maximum length', async () => {
    expect((await send({ ...GOOD, stack: 'x'.repeat(25_000) })).statusCode).toBe(413);
  });

  test('429 after thirty per hour from a network; others are accepted, and after an hour it is again', async () => {
    const answers = await Promise.all(Array.from({ length: 31 }, () => send(GOOD)));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.map((each) => each.json<{ error: string }>().error)).toEqual([
      'Too many attempts. Please try again later.',
    ]);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(GOOD, { ip: '10.9.1.1' })).statusCode).toBe(200);
    expect((await written(31))[0]?.count).toBe(31);
    s.advance(HOUR_MS);
    expect((await send(GOOD)).statusCode).toBe(200);
    await written(32);
  });

  test('a flood from many networks is capped: three hundred per hour, and every accepted one is counted', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 320; n++) {
      const letters = Array.from(String(n), (digit) => 'abcdefghij'[Number(digit)]).join('');
      statuses.push((await send({ ...GOOD, message: `Forged ${letters}` }, { ip: `10.3.${n % 200}.9` })).statusCode);
    }
    expect([statuses.filter((status) => status === 200).length, statuses.slice(300)]).toEqual([
      300,
      Array(20).fill(429),
    ]);
    await expect
      .poll(
        async () =>
          (await db().selectFrom('error_groups').select('count').execute()).reduce((sum, { count }) => sum + count, 0),
        { timeout: 5000 },
      )
      .toBe(300);
    const groups = await db().selectFrom('error_groups').select('message').execute();
    expect(groups).toHaveLength(201);
    expect(groups).toContainEqual({ message: 'Further errors of browser' });
  });
});
