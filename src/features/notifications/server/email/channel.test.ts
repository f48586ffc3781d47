import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { CLAIM_MS } from '#features/notifications/server/notifications/service/deliver.ts';
import { announce } from '#features/notifications/server/notifications/service.ts';
import { MAX_CONNECTIONS } from '#kernel/mail/smtp.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { member, useProductWithMail } from '#tests/support/for-file.ts';
import { emailAlert, headerOf, readDeliveries, SITE, unsubscribeLink } from '#tests/support/mailed.ts';
import { sendRequest } from '#tests/support/people.ts';

const { s, sink } = useProductWithMail();
const ann = member(s, 'ann', 'pro');

const db = () => s.product.market.ctx.db;
const deliver = async () => {
  await s.product.notifications.deliver();
  await s.product.mail.deliver();
};

describe('an alert by email', () => {
  test('arrives as HTML and text: sentence, value, source with its age, time, severity, one button', async () => {
    await emailAlert(s, ann, 'first', {
      message: 'My rule: Bitcoin price is above 68,000 USD',
      metric: 'btc_price',
      value: 68_012.5,
      source: 'OKX',
      severity: 'medium',
    });
    const [mail] = sink.emails;
    expect(mail).toMatchObject({ to: [{ address: ann.email }], subject: 'My rule: Bitcoin price is above 68,000 USD' });
    for (const body of [mail?.text, mail?.html]) {
      for (const part of [
        'Bitcoin price',
        '$68,012.50',
        'OKX, less than 1 s old at send time',
        '20 Nov 2026, 12:00:00 UTC',
        'Medium',
        'you receive alerts from your own rules by email',
        `${SITE}/app/custom-alerts`,
        `${SITE}/app/profile?tab=notifications`,
      ])
        expect(body).toContain(part);
      expect(body?.match(/is above 68,000 USD/g)).toHaveLength(body === mail?.text ? 1 : 3);
      expect(body).toContain(`${SITE}/api/unsubscribe?t=1.${ann.id}.all.`);
    }
    expect(mail?.html?.match(/class="m-button"/g)).toHaveLength(1);
    expect(mail?.html).not.toMatch(/<script|<img|<link/);
    expect(await readDeliveries(s, ann)).toMatchObject([{ state: 'sent', note: null, tries: 1 }]);
    // The unsubscribe link of RFC 8058.
    expect(unsubscribeLink(mail)).toMatch(/^\/api\/unsubscribe\?t=1\.\d+\.all\.[\w-]{43}$/);
    expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
  });

  test('a rule on a change shows the change, not the price', async () => {
    const detail = { rule: 'x', seen: [{ series: 'btc_price~change', at: 1, value: 5.25 }] };
    await emailAlert(s, ann, 'change', { message: 'Bitcoin moved', metric: 'btc_price', value: 5.25, detail });
    expect(sink.emails[0]?.text).toMatch(/Bitcoin price, 24h change\s+5\.25%/);
    expect(sink.emails[0]?.text).not.toContain('$5.25');
  });

  test('user text is escaped, and its line breaks never become headers', async () => {
    const message = 'x\r\nBcc: eve@example.com\r\n<script>alert(1)</script>';
    await emailAlert(s, ann, 'evil', { message });
    const [mail] = sink.emails;
    expect(mail?.rcptTo).toEqual([ann.email]);
    expect(headerOf(mail, 'Bcc')).toBeUndefined();
    expect(mail?.subject).toContain('x Bcc: eve@example.com');
    expect(mail?.html).not.toContain('<script>');
  });

  test('waits behind emails a user is waiting for', async () => {
    await raise(
      s,
      Array.from({ length: 12 }, (_, i) => createDraft(`flood ${i}`, { own: { userId: ann.id, ruleId: 1 } })),
    );
    await s.product.notifications.deliver();
    await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: ann.email });
    await s.product.auth.settled();
    const order: string[] = [];
    const full = Promise.withResolvers<void>();
    // The first emails hold their connections until each connection has one.
    sink.onMail(async ({ subject = '' }) => {
      order.push(subject);
      if (order.length >= MAX_CONNECTIONS) full.resolve();
      await full.promise;
    });
    await s.product.mail.deliver();
    sink.onMail(async () => undefined);
    expect(order).toHaveLength(13);
    expect(order.slice(0, MAX_CONNECTIONS)).toContain('Reset your password');
  });
});

test('an alert the mail server has accepted no email for within an hour expires', async () => {
  sink.judge(() => [451, '4.3.0 try later']);
  await emailAlert(s, ann, 'stale');
  for (const seconds of [30, 120, 600, 2700]) {
    s.advance(seconds * 1000);
    await s.product.mail.deliver();
  }
  sink.judge(() => null);
  s.advance(3_600_000);
  await s.product.mail.deliver();
  expect(sink.emails).toEqual([]);
  expect((await readDeliveries(s, ann)).at(-1)).toMatchObject({
    state: 'failed',
    note: expect.stringMatching(/4\.3\.0 try later; expired since$/),
  });
});

const remind = (n: number, title: string, eventDate: string, allDay = false) =>
  announce(
    db(),
    {
      once: `event:run:${n}`,
      kind: 'EVENT_REMINDER',
      severity: 'high',
      notice: {
        title,
        body: `Body ${n}.`,
        path: '/app/events',
        tag: `event-${n}`,
        source: 'Calendar',
        eventDate,
        allDay,
      },
      window: { days: 3, covered: [] },
    },
    s.clock.now(),
  );

describe('other content sent by email', () => {
  test('an event reminder: its date in UTC and in the user’s time zone', async () => {
    const zone = { timeZone: 'Asia/Tokyo' };
    await sql`update users set event_notifications = true, event_windows = '{3}', event_channels = '{email}',
      notification_preferences = notification_preferences || ${JSON.stringify(zone)}::jsonb where id = ${ann.id}`.execute(
      db(),
    );
    await remind(0, 'FOMC statement in 3 days', '2026-11-23T19:00:00.000Z');
    await deliver();
    const [mail] = sink.emails;
    expect(mail?.subject).toBe('FOMC statement in 3 days');
    for (const part of [
      '23 Nov 2026, 19:00:00 UTC',
      'Your time (Asia/Tokyo)',
      'Tue, 24 Nov 2026, 04:00',
      'Impact',
      'High',
      `${SITE}/app/events`,
      'you receive event reminders by email',
    ])
      expect(mail?.text).toContain(part);
    expect(headerOf(mail, 'List-Unsubscribe')).toBeDefined();
  });

  test('product news', async () => {
    const notice = { title: 'Exports are here', body: 'Take your data along.', path: '/app', tag: 'news-1' };
    await announce(db(), { once: 'news:1', kind: 'PRODUCT_NEWS', severity: 'low', notice }, s.clock.now());
    await deliver();
    expect(sink.emails).toHaveLength(1);
    expect(sink.emails[0]?.text).toContain('you receive product news by email');
    expect(headerOf(sink.emails[0], 'List-Unsubscribe')).toBeDefined();
  });
});

describe('event reminders', () => {
  test('of one run are one email, which settles each of their deliveries', async () => {
    await remind(1, 'US CPI, October on 24 November', '2026-11-24T13:30:00.000Z');
    await remind(2, 'FOMC statement on 23 November', '2026-11-23T19:00:00.000Z');
    await deliver();
    expect(sink.emails.map(({ subject }) => subject)).toEqual(['2 upcoming events, 23 November to 24 November']);
    const text = sink.emails[0]?.text ?? '';
    expect(text.indexOf('FOMC statement on 23 November. Body 2.')).toBeGreaterThan(0);
    expect(text.indexOf('US CPI, October on 24 November. Body 1.')).toBeGreaterThan(text.indexOf('Body 2.'));
    const states = (await readDeliveries(s, ann)).slice(0, 2).map(({ state }) => state);
    expect(states).toEqual(['sent', 'sent']);
  });

  test('for all-day events are sent on the day itself, one or several, without a time of day', async () => {
    const today = '2026-11-20T00:00:00.000Z';
    await remind(3, 'Comments due on 20 November', today, true);
    await deliver();
    expect(sink.emails[0]?.text).toContain('Friday, 20 November 2026');
    expect(sink.emails[0]?.text).not.toMatch(/00:00|Your time/);
    await remind(4, 'Roundtable on 20 November', today, true);
    await remind(5, 'Hearing on 20 November', today, true);
    await deliver();
    expect(sink.emails.map(({ subject }) => subject)).toEqual([
      'Comments due on 20 November',
      '2 upcoming events on 20 November',
    ]);
  });
});

describe('one email per delivery', () => {
  test('a worker dies after sending: the next one sends no second email', async () => {
    const id = await raise(s, [createDraft('twice', { own: { userId: ann.id, ruleId: 1 } })]);
    expect(id).toHaveLength(1);
    await s.product.notifications.deliver();
    // What the engine had not recorded when it crashed.
    await sql`update notification_deliveries set state = 'due', locked_until = null where state = 'handed'`.execute(
      db(),
    );
    await s.product.notifications.deliver();
    expect((await readDeliveries(s, ann)).at(-1)?.state).toBe('handed');
    await s.product.mail.deliver();
    expect(sink.emails).toHaveLength(1);
    expect((await readDeliveries(s, ann)).at(-1)).toMatchObject({ state: 'sent', tries: 2 });
  });

  test('two workers with the same delivery send one email and report no error', async () => {
    const other = await s.another();
    await raise(s, [createDraft('held', { own: { userId: ann.id, ruleId: 1 } })]);
    const holding = await db().startTransaction().execute();
    await sql`lock table mail_deliveries in share mode`.execute(holding);
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_locks
        where not granted and relation = 'mail_deliveries'::regclass`.execute(db());
      return rows[0]?.n;
    };
    const first = s.product.notifications.deliver();
    await expect.poll(waiting).toBe(1);
    s.advance(CLAIM_MS);
    let isOver = false;
    const second = other.notifications.deliver().finally(() => (isOver = true));
    await expect.poll(async () => isOver || (await waiting()) === 2).toBe(true);
    await holding.rollback().execute();
    await Promise.all([first, second]);
    await s.product.mail.deliver();
    expect(sink.emails).toHaveLength(1);
    const { rows } = await sql`select from error_logs where message = 'The channel email failed'`.execute(db());
    expect(rows).toEqual([]);
  });

  test('a failed one gets another email when retried manually', async () => {
    sink.judge(() => [554, '5.6.0 no']);
    await emailAlert(s, ann, 'again');
    expect((await readDeliveries(s, ann)).at(-1)).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('5.6.0'),
    });
    sink.judge(() => null);
    await sql`delete from mail_suppressions`.execute(db());
    await sql`update notification_deliveries set state = 'due', tries = 0 where state = 'failed'`.execute(db());
    await deliver();
    expect(sink.emails).toHaveLength(1);
    expect((await readDeliveries(s, ann)).at(-1)).toMatchObject({ state: 'sent' });
  });

  test('one without a recorded outcome is settled by the job email.reconcile', async () => {
    await emailAlert(s, ann, 'lost');
    await sql`update notification_deliveries set state = 'handed', sent_at = null where id = (select max(id) from notification_deliveries)`.execute(
      db(),
    );
    await s.job('email.reconcile');
    expect((await readDeliveries(s, ann)).at(-1)?.state).toBe('handed');
    s.advance(61_000);
    await s.job('email.reconcile');
    expect((await readDeliveries(s, ann)).at(-1)?.state).toBe('sent');
  });
});

test('account emails cannot be unsubscribed: they have no such link', async () => {
  await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: ann.email });
  await s.product.auth.settled();
  await s.product.mail.deliver();
  const [mail] = sink.emails;
  expect(mail?.subject).toBe('Reset your password');
  expect([headerOf(mail, 'List-Unsubscribe'), headerOf(mail, 'List-Unsubscribe-Post')]).toEqual([undefined, undefined]);
  expect(mail?.text).not.toContain('unsubscribe');
});
