import { pino } from 'pino';
import { describe, expect, test } from 'vitest';

import type { DataMode } from '#shared/provenance.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { startSmtpSink } from '#tests/support/smtp-sink.ts';

import { loadConfig } from '../config.ts';
import { openSecrets } from '../secrets.ts';
import { isConfirmationRequired, openMail } from './mail.ts';
import type { MailMessage } from './smtp.ts';

const log = pino({ level: 'silent' });
const SECRET_KEY = 'the key that these tests seal with';
const LETTER: MailMessage = {
  kind: 'reset',
  to: 'ann@example.com',
  subject: 'Reset your password',
  html: '<p>https://m.example/reset?token=s3cr3t</p>',
  text: 'https://m.example/reset?token=s3cr3t',
};

const s = fileProduct();

const db = () => s.product.market.ctx.db;
function mailOf(mode: DataMode, env: Record<string, string> = {}) {
  const config = loadConfig({ SECRET_KEY, ...env });
  const secrets = openSecrets({ config, log });
  return openMail({ db: db(), config, mode, now: s.clock.now, log, report: () => undefined, secrets });
}
const stored = (id: number) => db().selectFrom('mail_outbox').selectAll().where('id', '=', id).executeTakeFirst();

describe('email routing', () => {
  test.each([
    ['live', { SMTP_URL: 'smtp://127.0.0.1:2525' }, 'smtp', 'waiting'],
    ['live', {}, 'outbox', 'kept'],
    ['demo', { SMTP_URL: 'smtp://127.0.0.1:2525' }, 'outbox', 'kept'],
    ['demo', {}, 'outbox', 'kept'],
  ] as const)('%s mode with %j: %s', async (mode, env, delivery, state) => {
    const mail = mailOf(mode, env);
    expect(mail.delivery).toBe(delivery);
    const { id } = await mail.enqueue(db(), LETTER);
    expect(await stored(id)).toMatchObject({ state, address: 'ann@example.com', subject: 'Reset your password' });
  });

  test('demo mode never sends outside, whatever is pending or configured', async () => {
    const sink = await startSmtpSink();
    await mailOf('live', { SMTP_URL: sink.url }).enqueue(db(), LETTER);
    const demo = mailOf('demo', { SMTP_URL: sink.url });
    await demo.enqueue(db(), LETTER);
    expect([await demo.deliver(), sink.emails]).toEqual([0, []]);
    await sink.down();
  });
});

test('live mode serves no email page', async () => {
  expect((await s.product.mail.enqueue(db(), LETTER)).demoMail).toBeNull();
  expect((await s.get('/demo-mail/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).statusCode).not.toBe(200);
});

describe('a stored email', () => {
  test('keeps its text and headers sealed, and no link or view token in plain', async () => {
    const { id, demoMail } = await mailOf('demo').enqueue(db(), { ...LETTER, headers: { 'X-Link': 's3cr3t' } });
    const token = demoMail?.split('/').at(-1) ?? '';
    expect(token).toMatch(/^[\w-]{32}$/);
    const row = await stored(id);
    expect(row?.view_hash).toHaveLength(32);
    const text = JSON.stringify({ ...row, view_hash: row?.view_hash?.toString('latin1') });
    for (const secret of ['s3cr3t', 'm.example', token]) expect(text).not.toContain(secret);
    expect(mailOf('live').openBody(row?.body ?? '')).toEqual({
      html: LETTER.html,
      text: LETTER.text,
      headers: { 'X-Link': 's3cr3t' },
    });
  });

  test.each([
    ['several addresses', { to: 'ann@example.com, eve@example.com' }],
    ['a name and an address', { to: 'Ann <ann@example.com>' }],
    ['a header in its address', { to: 'ann@example.com\r\nBcc: eve@example.com' }],
    ['no address', { to: 'ann' }],
    ['a header in the name of a header', { headers: { 'X-A: b\r\nBcc': 'eve@example.com' } }],
  ])('rejects %s', async (_what, more) => {
    await expect(mailOf('live').enqueue(db(), { ...LETTER, ...more })).rejects.toThrow(/^A mail (needs|header)/);
  });

  test('a subject is one valid header line', async () => {
    const subject = '\u0000 \u202eLong\r\n'.repeat(100);
    const { id } = await mailOf('live').enqueue(db(), { ...LETTER, subject });
    const row = await stored(id);
    expect(row?.subject).toMatch(/^Long Long [^\p{C}]+…$/u);
    expect(row?.subject).toHaveLength(250);
  });

  test('is deleted after 30 days', async () => {
    const { id } = await mailOf('live').enqueue(db(), LETTER);
    s.advance(30 * 86_400_000 - 1000);
    const { id: later } = await mailOf('live').enqueue(db(), LETTER);
    await s.job('platform.retention');
    expect(await stored(id)).toBeDefined();
    s.advance(2000);
    await s.job('platform.retention');
    expect([await stored(id), (await stored(later))?.id]).toEqual([undefined, later]);
  });
});

test.each([
  ['live', {}, false],
  ['live', { SMTP_URL: 'smtp://127.0.0.1:2525' }, true],
  ['live', { SMTP_URL: 'smtp://127.0.0.1:2525', EMAIL_CONFIRMATION: 'off' }, false],
  ['live', { EMAIL_CONFIRMATION: 'on' }, true],
  ['demo', {}, true],
  ['demo', { EMAIL_CONFIRMATION: 'off' }, false],
] as const)('address confirmation: %s mode with %j: %s', (mode, env, isRequired) => {
  expect(isConfirmationRequired(loadConfig(env), mode)).toBe(isRequired);
});
