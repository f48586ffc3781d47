import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { member, useProductWithMail } from '#tests/support/for-file.ts';
import { emailAlert, unsubscribeLink } from '#tests/support/mailed.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';

const FORM = 'application/x-www-form-urlencoded';
const ONE_CLICK = 'List-Unsubscribe=One-Click';

const { s, sink } = useProductWithMail();
const ann = member(s, 'ann+x', 'pro');
let link: string;
beforeAll(async () => {
  await emailAlert(s, ann, 'first');
  link = unsubscribeLink(sink.emails[0]);
});
beforeEach(async () => {
  await sql`update users set notify_email = true`.execute(s.product.market.ctx.db);
});

const post = (url: string, payload: string, type = FORM, ip = '203.0.113.9') =>
  s.product.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type }, remoteAddress: ip });
const isOn = async (who: TestUser) =>
  (await who.get('/api/subscription')).json<{ notifications: { email: boolean } }>().notifications.email;

describe('GET /api/unsubscribe', () => {
  test('200: shows whose emails would stop, with a button, and changes nothing', async () => {
    for (const method of ['GET', 'HEAD'] as const)
      expect((await s.product.app.inject({ method, url: link })).statusCode).toBe(200);
    const { headers, body } = await s.get(link);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const part of ['<h1>Unsubscribe</h1>', 'ann+x@people.example', '<button>Unsubscribe</button>', '/settings'])
      expect(body).toContain(part);
    expect(await isOn(ann)).toBe(true);
  });

  test('200: runs and loads nothing, posts only to this site, and is not indexed', async () => {
    const { headers, body } = await s.get(link);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(policy).toMatch(/form-action 'self'; frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/script|https?:|\*/);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
    });
    expect(body).not.toMatch(/<script|<link rel="stylesheet/);
  });
});

describe('POST /api/unsubscribe', () => {
  test('200: one click in an email client unsubscribes, without cookie or token', async () => {
    const answer = await post(link, ONE_CLICK);
    expect([answer.statusCode, answer.body]).toEqual([200, 'Unsubscribed\n']);
    const { notifications } = (await ann.get('/api/subscription')).json();
    expect(notifications).toEqual({ email: false, push: false, telegram: false });
    sink.emails.length = 0;
    await emailAlert(s, ann, 'after');
    expect(sink.emails).toEqual([]);
  });

  test('200 on a repeat, with no further effect', async () => {
    for (const answer of [await post(link, ONE_CLICK), await post(link, ONE_CLICK)])
      expect(answer.statusCode).toBe(200);
    const { rows } =
      await sql`select from audit_log where action = 'notifications.unsubscribe' and subject_id = ${ann.id}`.execute(
        s.product.market.ctx.db,
      );
    expect(rows).toHaveLength(2);
    expect(await isOn(ann)).toBe(false);
  });

  test('200: as multipart/form-data, which RFC 8058 also allows', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    expect((await post(link, part, 'multipart/form-data; boundary=b')).statusCode).toBe(200);
    expect(await isOn(ann)).toBe(false);
  });

  test('303: the button redirects to the confirmation page', async () => {
    const answer = await post(link, 'from=page');
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      '/unsubscribe-success?email=ann%2Bx%40people.example',
    ]);
    expect(await isOn(ann)).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['something else', 'a=b'],
  ])('400: %s in its body does not unsubscribe', async (_what, payload) => {
    expect((await post(link, payload)).statusCode).toBe(400);
    expect(await isOn(ann)).toBe(true);
  });

  test('413: an unknown form body', async () => {
    expect((await post(link, `from=page&${'a'.repeat(5000)}`)).statusCode).toBe(413);
  });
});

describe('an invalid token', () => {
  const forged: [string, (token: string) => string][] = [
    ['another person', (token) => token.replace(/^1\.\d+/, '1.999')],
    ['another version', (token) => token.replace(/^1/, '2')],
    ['another scope', (token) => token.replace('.all.', '.one.')],
    ['a changed seal', (token) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1)],
    ['the same seal, written otherwise', (token) => token.slice(0, -1) + String.fromCharCode(token.charCodeAt(42) + 1)],
    ['a cut seal', (token) => token.slice(0, -1)],
    ['more behind it', (token) => `${token}x`],
    ['nothing', () => ''],
  ];

  test.each(forged)('400: %s', async (_what, change) => {
    const token = new URL(link, 'https://x').searchParams.get('t') ?? '';
    const url = `/api/unsubscribe?t=${encodeURIComponent(change(token))}`;
    for (const answer of [await s.get(url), await post(url, ONE_CLICK)]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('This link does not work');
      expect(answer.body).not.toContain('<button');
    }
    expect(await isOn(ann)).toBe(true);
  });

  test('400: repeated or missing', async () => {
    for (const url of [`${link}&t=1`, '/api/unsubscribe']) expect((await s.get(url)).statusCode).toBe(400);
  });

  test('429 after thirty per hour from one network; valid links still work', async () => {
    const tries = [];
    for (let i = 0; i < 31; i++) tries.push(await post('/api/unsubscribe?t=x', ONE_CLICK, FORM, '198.51.100.7'));
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
    expect(tries.at(-1)?.headers['retry-after']).toBe('3600');
    expect(tries.at(-1)?.body).toContain('Please try again later');
    expect((await post(link, ONE_CLICK, FORM, '198.51.100.7')).statusCode).toBe(200);
  });
});

test('the link of a deleted account gets a friendly page', async () => {
  const ben = await registerUser(s, 'ben', 'pro');
  sink.emails.length = 0;
  await emailAlert(s, ben, 'for ben');
  const gone = unsubscribeLink(sink.emails[0]);
  expect((await ben.remove('/api/auth/delete-account')).statusCode).toBe(200);
  const page = await s.get(gone);
  expect([page.statusCode, page.body]).toEqual([
    200,
    expect.stringContaining('The account this link belongs to no longer exists'),
  ]);
  expect((await post(gone, ONE_CLICK)).statusCode).toBe(200);
  const pressed = await post(gone, 'from=page');
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, '/unsubscribe-success']);
});
