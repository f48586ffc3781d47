import { type AddressInfo, createServer } from 'node:net';

import { Client } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileDatabase } from '#tests/support/for-file.ts';
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts';

import { type Clock, createClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import { type Database, openDatabase } from '../db.ts';
import { openListener } from '../listener.ts';
import { openSecrets } from '../secrets.ts';
import { type Mail, openMail } from './mail.ts';
import { claimMail, markFailed, markForRetry } from './outbox.ts';
import type { MailMessage } from './smtp.ts';

const NOON = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const log = pino({ level: 'silent' });
const LETTER: MailMessage = {
  kind: 'reset',
  to: 'ann@example.com',
  subject: 'Reset your password',
  html: '<p>Open <a href="https://m.example/reset?token=s3cr3t">this link</a> – ‘now’</p>',
  text: 'Open https://m.example/reset?token=s3cr3t – now',
};

const database = fileDatabase();
let sink: SmtpSink;
let clock: Clock;
let open: Database;
let mail: Mail;
let reported: unknown[][];
const closing: (() => Promise<unknown>)[] = [];

/** One process with its own pool and mail. */
function startProcess(env: Record<string, string> = {}): { mail: Mail; open: Database } {
  const config = loadConfig({
    SECRET_KEY: 'the key that these tests seal with',
    MAIL_FROM: 'Meridian <mail@meridian.test>',
    SMTP_URL: sink.url,
    ...env,
  });
  const pool = openDatabase(database.connection, () => undefined);
  const report = (...failure: unknown[]) => void reported.push(failure);
  const secrets = openSecrets({ config, log });
  const process = openMail({ db: pool.db, config, mode: 'live', now: clock.now, log, report, secrets });
  closing.push(() => process.close().then(() => pool.close()));
  return { mail: process, open: pool };
}

beforeEach(async () => {
  sink = await startSmtpSink();
  await database.pool.query('delete from mail_outbox');
  clock = createClock();
  clock.set(NOON);
  reported = [];
  ({ mail, open } = startProcess());
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await sink.down();
});

const post = (more: Partial<MailMessage> = {}) => mail.enqueue(open.db, { ...LETTER, ...more });
const rows = async () =>
  open.db
    .selectFrom('mail_outbox')
    .select(['id', 'state', 'tries', 'note', 'body', 'next_at', 'sent_at'])
    .orderBy('id')
    .execute();
const states = async () => (await rows()).map(({ state }) => state);

describe('an outgoing email', () => {
  test('arrives with HTML, text, sender and the headers that prevent auto-replies', async () => {
    const { id, demoMail } = await post({ headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } });
    expect(demoMail).toBeNull();
    expect(await mail.deliver()).toBe(1);
    const [received] = sink.emails;
    expect(received).toMatchObject({
      from: { name: 'Meridian', address: 'mail@meridian.test' },
      to: [{ address: 'ann@example.com' }],
      mailFrom: 'mail@meridian.test',
      rcptTo: ['ann@example.com'],
      subject: 'Reset your password',
      date: '2026-11-20T12:00:00.000Z',
      messageId: expect.stringMatching(new RegExp(`^<${id}\\.[0-9a-f]{24}@meridian\\.test>$`)),
    });
    expect([received?.html?.trim(), received?.text?.trim()]).toEqual([LETTER.html, LETTER.text]);
    const headers = new Map(received?.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('is marked sent with its time, and its text is erased', async () => {
    await post();
    expect((await rows())[0]?.body).toEqual(expect.any(String));
    clock.advance(1500);
    await mail.deliver();
    expect(await rows()).toMatchObject([
      { state: 'sent', body: null, note: null, next_at: null, sent_at: '2026-11-20T12:00:01.500Z' },
    ]);
    expect(await mail.deliver()).toBe(0);
    expect(sink.emails).toHaveLength(1);
  });

  test('keeps a line break in its subject or headers from becoming a header', async () => {
    await post({
      subject: 'Hello\r\nBcc: eve@example.com\u2028\u202e end',
      headers: { 'X-Note': 'one\r\nBcc: eve@example.com' },
    });
    await mail.deliver();
    const [received] = sink.emails;
    expect(received?.subject).toBe('Hello Bcc: eve@example.com end');
    expect(received?.rcptTo).toEqual(['ann@example.com']);
    expect(received?.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  test('is sent as soon as the transaction that queued it is committed, and not before', async () => {
    const listener = await openListener(database.connection, () => undefined);
    closing.push(() => listener.close());
    await mail.listen(listener);
    const other = startProcess();
    await other.open.db.transaction().execute(async (tx) => {
      await other.mail.enqueue(tx, LETTER);
      expect(await mail.deliver()).toBe(0);
    });
    await expect.poll(() => sink.emails.length, { timeout: 20_000 }).toBe(1);
    await expect.poll(states, { timeout: 20_000 }).toEqual(['sent']);
  });

  test('does not exist when its transaction is rolled back', async () => {
    const posting = open.db.transaction().execute(async (tx) => {
      await mail.enqueue(tx, LETTER);
      throw new Error('the account was not made');
    });
    await expect(posting).rejects.toThrow('the account was not made');
    expect([await mail.deliver(), await rows()]).toEqual([0, []]);
  });
});

describe('an undeliverable email', () => {
  test('is retried after 30 s, 2 min, 10 min and twice 1 h, then abandoned and reported', async () => {
    sink.judge(() => [451, '4.2.1 try later']);
    await post();
    for (const [tries, seconds] of [30, 120, 600, 3600, 3600].entries()) {
      expect(await mail.deliver()).toBe(0);
      expect(await rows()).toMatchObject([{ state: 'waiting', tries: tries + 1, note: expect.stringMatching(/451/) }]);
      clock.advance(seconds * 1000 - 1);
      await mail.deliver();
      expect((await rows())[0]?.tries).toBe(tries + 1);
      clock.advance(1);
    }
    expect(reported).toEqual([]);
    await mail.deliver();
    expect(await rows()).toMatchObject([{ state: 'failed', tries: 6, next_at: null, body: expect.any(String) }]);
    expect(reported).toEqual([
      ['mail', 'system', 'Failed to deliver an email', expect.objectContaining({ kind: 'reset' })],
    ]);
  });

  test('is sent on a later retry', async () => {
    sink.judge(() => [451, '4.2.1 try later']);
    await post();
    await mail.deliver();
    sink.judge(() => null);
    clock.advance(30_000);
    expect(await mail.deliver()).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2, note: null }]);
  });

  test('is abandoned immediately on a permanent rejection, and the others continue', async () => {
    sink.judge((address) => (address.startsWith('nobody@') ? [550, '5.1.1 no such user'] : null));
    await post({ to: 'nobody@example.com' });
    await post();
    expect(await mail.deliver()).toBe(1);
    expect(await rows()).toMatchObject([
      { state: 'failed', tries: 1, note: expect.stringMatching(/550 5\.1\.1 no such user/) },
      { state: 'sent', tries: 1 },
    ]);
    expect(reported).toHaveLength(1);
  });

  test('waits while the mail server is down, costs the others no retry, and is sent when it is back', async () => {
    await sink.down();
    for (let i = 0; i < 20; i++) await post({ to: `u${i}@example.com` });
    expect(await mail.deliver()).toBe(0);
    const tried = (await rows()).filter(({ tries }) => tries > 0);
    expect(tried.length).toBeLessThanOrEqual(5);
    expect(new Set(await states())).toEqual(new Set(['waiting']));
    expect(reported.map(([, , message]) => message)).toContain('Mail server failing');
    await sink.up();
    clock.advance(30_000);
    expect(await mail.deliver()).toBe(20);
    expect(new Set(sink.emails.flatMap(({ rcptTo }) => rcptTo)).size).toBe(20);
  });

  test('waits when the server accepts the connection and then stays silent', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}?greetingTimeout=300`;
    await post();
    expect(await startProcess({ SMTP_URL: url }).mail.deliver()).toBe(0);
    expect(await rows()).toMatchObject([{ state: 'waiting', tries: 1, note: expect.stringMatching(/Greeting/) }]);
    silent.close();
    clock.advance(30_000);
    expect(await mail.deliver()).toBe(1);
  });

  test('treats a wrong mail server password as a server problem, not as a failure of the email', async () => {
    await post();
    const other = startProcess({ SMTP_URL: sink.url.replace('//', '//me:wrong@') });
    expect(await other.mail.deliver()).toBe(0);
    expect(await states()).toEqual(['waiting']);
    expect(JSON.stringify([reported, await rows()])).not.toContain('wrong@');
  });

  test('is abandoned when sealed with another key', async () => {
    await post();
    expect(await startProcess({ SECRET_KEY: 'a key that this was not sealed with' }).mail.deliver()).toBe(0);
    expect(await rows()).toMatchObject([
      { state: 'failed', note: 'The email was encrypted with a different secret key.' },
    ]);
    expect(sink.emails).toEqual([]);
  });
});

describe('several processes', () => {
  test('that deliver concurrently send each email once', async () => {
    const other = startProcess();
    for (let i = 0; i < 40; i++) await post({ to: `u${i}@example.com` });
    const sent = await Promise.all([mail.deliver(), other.mail.deliver(), mail.deliver()]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(sink.emails).toHaveLength(40);
    expect(new Set(sink.emails.map(({ messageId }) => messageId)).size).toBe(40);
    expect(new Set(await states())).toEqual(new Set(['sent']));
  });

  test('one that dies between sending and recording it: the email is resent as the same email', async () => {
    const dying = startProcess();
    const { id } = await post();
    const killer = new Client(database.connection);
    killer.on('error', () => undefined);
    await killer.connect();
    sink.onMail(async () => {
      // Its update has to wait for this lock, and then finds its connection closed.
      await killer.query('begin');
      await killer.query('select from mail_outbox where id = $1 for update', [id]);
    });
    const ended = expect(dying.mail.deliver()).rejects.toThrow();
    const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await killer.query(waits)).rowCount, { timeout: 20_000 }).toBe(1);
    await killer.query(`select pg_terminate_backend(pid) from (${waits}) as waiting`);
    await ended;
    await killer.query('rollback');
    await killer.end();

    sink.onMail(async () => undefined);
    expect(await mail.deliver()).toBe(0);
    clock.advance(5 * MINUTE_MS);
    expect(await mail.deliver()).toBe(1);
    const [first, second] = sink.emails;
    expect(sink.emails).toHaveLength(2);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.raw.includes(first?.messageId ?? 'none')).toBe(true);
    expect(await states()).toEqual(['sent']);
  });

  test('an email whose every attempt crashed is abandoned, not retried forever', async () => {
    const { id } = await post();
    await open.db.updateTable('mail_outbox').set({ tries: 6 }).where('id', '=', id).execute();
    expect(await mail.deliver()).toBe(0);
    expect(await rows()).toMatchObject([{ state: 'failed', note: 'The last attempt did not complete.' }]);
    expect(sink.emails).toEqual([]);
  });

  test('a delivery that is stopping takes no more email', async () => {
    const ending = new AbortController();
    sink.onMail(async () => ending.abort());
    for (let i = 0; i < 30; i++) await post({ to: `u${i}@example.com` });
    expect(await mail.deliver(ending.signal)).toBeLessThanOrEqual(10);
    expect((await states()).filter((state) => state === 'waiting').length).toBeGreaterThanOrEqual(20);
    expect((await rows()).every(({ state, tries }) => state === 'sent' || tries === 0)).toBe(true);
  });
});

test('a stalled process reporting an earlier attempt neither fails nor delays the email', async () => {
  await post();
  const until = new Date(NOON.getTime() + MINUTE_MS);
  const first = await claimMail(open.db, NOON, until);
  const second = await claimMail(open.db, until, new Date(until.getTime() + MINUTE_MS));
  if (!first || !second) throw new Error('The mail was not claimed');
  expect(await markFailed(open.db, first, 'late', null)).toBe(false);
  await markForRetry(open.db, first, 'late', NOON, null);
  expect(await rows()).toMatchObject([{ state: 'waiting', tries: 2, note: null }]);
  expect(await markFailed(open.db, second, 'in time', null)).toBe(true);
});
