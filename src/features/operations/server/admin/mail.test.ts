import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { MailMessage } from '#kernel/mail/smtp.ts';
import { startSmtpSink } from '#tests/support/smtp-sink.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const ADMIN = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'An-admin-of-tests-1' };
const LETTER: MailMessage = {
  kind: 'reset',
  to: 'ann@example.com',
  subject: 'Reset your password',
  html: '<p>https://m.example/reset?token=s3cr3t</p>',
  text: 'https://m.example/reset?token=s3cr3t',
};

async function post(s: TestProduct, path: string, payload: object) {
  return s.product.app.inject({ method: 'POST', url: path, payload });
}
async function asAdmin(s: TestProduct) {
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  const { token } = (await post(s, '/api/auth/login', credentials)).json<{ token: string }>();
  return (url: string) => s.get(url, { authorization: `Bearer ${token}` });
}
const db = (s: TestProduct) => s.product.market.ctx.db;
const mail = (s: TestProduct, more: Partial<MailMessage> = {}) => s.product.mail.enqueue(db(s), { ...LETTER, ...more });

const BOTH = { html: LETTER.html.replace('s3cr3t', 'hidden'), text: LETTER.text.replace('s3cr3t', 'hidden') };

describe('the outbox', () => {
  let s: TestProduct;
  let admin: (url: string) => ReturnType<TestProduct['get']>;
  beforeAll(async () => {
    s = await start({ env: ADMIN });
    admin = await asAdmin(s);
    // Emails caused by the sign-in itself.
    await db(s).deleteFrom('mail_outbox').execute();
  });
  afterAll(() => s.stop());

  describe('GET /api/admin/mail', () => {
    test('200: newest first, without their texts', async () => {
      const first = await mail(s);
      const second = await mail(s, { kind: 'confirm', to: 'bob@example.com', subject: 'Confirm your email address' });
      const { mails, delivery, more } = (await admin('/api/admin/mail')).json();
      expect({ delivery, more }).toEqual({ delivery: 'outbox', more: false });
      expect(mails).toEqual([
        {
          id: second.id,
          to: 'bob@example.com',
          subject: 'Confirm your email address',
          kind: 'confirm',
          state: 'kept',
          note: null,
          createdAt: '2026-11-20T12:00:00.000Z',
          sentAt: null,
        },
        expect.objectContaining({ id: first.id, to: 'ann@example.com', kind: 'reset' }),
      ]);
    });

    test('200: a search in address and subject treats special characters literally', async () => {
      const { id } = await mail(s, { to: 'per_cent%x@example.com', subject: 'One hundred \\ percent' });
      const found = async (q: string) => {
        const answer = (await admin(`/api/admin/mail?q=${encodeURIComponent(q)}`)).json<{ mails: { id: number }[] }>();
        return answer.mails.map((each) => each.id);
      };
      for (const q of ['PER_CENT%', 'r_c', 't%x', 'd \\ p']) expect(await found(q)).toEqual([id]);
      for (const q of ['p%r_cent', 'perXcent', "';--"]) expect(await found(q)).toEqual([]);
    });

    test('200: fifty per page, the next one below the last id, no duplicates', async () => {
      for (let i = 0; i < 101; i++) await mail(s, { to: `page${i}@example.com` });
      const seen: number[] = [];
      for (let before = ''; ; ) {
        const page = (await admin(`/api/admin/mail?q=page${before}`)).json<{
          mails: { id: number }[];
          more: boolean;
        }>();
        seen.push(...page.mails.map(({ id }) => id));
        if (!page.more) break;
        expect(page.mails).toHaveLength(50);
        before = `&before=${seen.at(-1)}`;
      }
      expect(seen).toHaveLength(101);
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
      expect(new Set(seen).size).toBe(101);
    });
  });

  describe('GET /api/admin/mail/:id', () => {
    test('200: the email with its text, and who read it is recorded', async () => {
      const { id } = await mail(s);
      const read = await admin(`/api/admin/mail/${id}`);
      expect(read.json()).toMatchObject({ id, to: 'ann@example.com', subject: LETTER.subject });
      const entries = await db(s).selectFrom('audit_log').selectAll().where('action', '=', 'mail.read').execute();
      expect(entries).toMatchObject([{ details: { mail: id }, actor_id: expect.any(Number) }]);
      expect(JSON.stringify(entries)).not.toContain('s3cr3t');
    });

    test("200: hides links that open another user's account, shows the caller's own", async () => {
      const { id } = await mail(s);
      expect((await admin(`/api/admin/mail/${id}`)).json()).toMatchObject({ ...BOTH, linksHidden: true });
      const { id: own } = await mail(s, { to: ADMIN.ADMIN_EMAIL });
      const { html, text } = LETTER;
      expect((await admin(`/api/admin/mail/${own}`)).json()).toMatchObject({ html, text, linksHidden: false });
    });

    test('403: an old session requires fresh proof before a text is read', async () => {
      const { id } = await mail(s);
      const old = await asAdmin(s);
      s.advance(16 * 60_000);
      expect((await old('/api/admin/mail')).statusCode).toBe(200);
      const answer = await old(`/api/admin/mail/${id}`);
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'reauthentication_required']);
      expect(answer.body).not.toContain('s3cr3t');
      admin = await asAdmin(s);
    });

    test('200: reports a text sealed with another key', async () => {
      const { id } = await mail(s);
      const body = `v1.${Buffer.alloc(60).toString('base64url')}`;
      await db(s).updateTable('mail_outbox').set({ body }).where('id', '=', id).execute();
      expect((await admin(`/api/admin/mail/${id}`)).json<{ text: string }>().text).toMatch(/a different secret key/);
    });

    test('404: an unknown email', async () => {
      const answer = await admin('/api/admin/mail/999999999999999');
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Email not found', code: 'not_found' }]);
    });
  });

  test.each([
    ['/api/admin/mail?before=x', /must be the id of a mail/],
    ['/api/admin/mail/x', /must be a number/],
    [`/api/admin/mail?q=${'x'.repeat(255)}`, /^q: /],
  ])('400: %s', async (url, error) => {
    const answer = await admin(url);
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: expect.stringMatching(error), code: 'bad_request' },
    ]);
  });
});

test('a sent email states that its text was wiped, a failed one states why', async () => {
  const sink = await startSmtpSink();
  const s = await start({ env: { ...ADMIN, SMTP_URL: sink.url, MAIL_FROM: 'mail@meridian.test' } });
  const admin = await asAdmin(s);
  sink.judge((address) => (address.startsWith('nobody@') ? [550, '5.1.1 no such user'] : null));
  const { id: sent } = await mail(s);
  const { id: failed } = await mail(s, { to: 'nobody@example.com' });
  await s.job('mail.deliver');
  expect((await admin('/api/admin/mail')).json()).toMatchObject({ delivery: 'smtp' });
  const sentence = 'The text of this email was deleted when it was sent.';
  expect((await admin(`/api/admin/mail/${sent}`)).json()).toMatchObject({
    state: 'sent',
    sentAt: '2026-11-20T12:00:00.000Z',
    html: `<p>${sentence}</p>`,
    text: sentence,
  });
  expect((await admin(`/api/admin/mail/${failed}`)).json()).toMatchObject({
    state: 'failed',
    note: expect.stringMatching(/550 5\.1\.1 no such user/),
    text: BOTH.text,
  });
  await s.stop();
  await sink.down();
});

test('demo mode shows every link', async () => {
  const s = await start({ mode: 'demo', env: ADMIN });
  const admin = await asAdmin(s);
  const { id } = await mail(s);
  expect((await admin(`/api/admin/mail/${id}`)).json()).toMatchObject({ text: LETTER.text, linksHidden: false });
  await s.stop();
});
