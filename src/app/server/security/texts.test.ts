import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { BRAND } from '#shared/brand.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { contactPage } from '#tests/support/mailbox.ts';
import { startWithMail } from '#tests/support/mailed.ts';
import { rule, rulesApi } from '#tests/support/own-rules.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import type { ReceivedEmail, SmtpSink } from '#tests/support/smtp-sink.ts';
import type { TestProduct } from '#tests/support/start.ts';
import { createWebhook } from '#tests/support/webhook-receiver.ts';

/** Short enough for a name, and harmful in a page, an attribute, a script, a template and a format. */
const HARM = `"'><img src=x onerror=a()>{{7*7}}\${7*7}%s%n`;
const SCRIPT = `</script><script>alert(1)</script>${HARM}`;
const LIVE = [/<img src=x/i, /<script>alert\(1\)/i, /"'><img/];
const FORMULAS = ['=HYPERLINK("http://e.example")', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '＝1+1'];
const BREAKS = 'One\r\nBcc: everyone@elsewhere.example\r\n\r\nTwo';

let s: TestProduct;
let sink: SmtpSink;
let ann: TestUser;
let admin: TestUser;
beforeAll(async () => {
  ({ s, sink } = await startWithMail());
  await s.job('market.listing');
  ann = await registerUser(s, 'ann', 'premium');
  admin = await registerUser(s, 'admin', 'admin');
}, 120_000);
afterAll(async () => {
  await s.stop();
  await sink.down();
});

const harmless = (text: string, where: string) => {
  for (const pattern of LIVE) expect([where, pattern.exec(text)?.[0] ?? null]).toEqual([where, null]);
};
const deliver = async () => {
  await s.product.notifications.deliver();
  await s.product.mail.deliver();
};
const mailsTo = (address: string): ReceivedEmail[] => sink.emails.filter(({ rcptTo }) => rcptTo.includes(address));

/** Fires a custom rule whose name was written by its owner. */
async function fire(who: TestUser, name: string): Promise<void> {
  const [{ id } = { id: 0 }] = (
    await sql<{ id: number }>`select id from alert_rules where user_id = ${who.id} order by id desc limit 1`.execute(
      s.product.market.ctx.db,
    )
  ).rows;
  await raise(s, [
    createDraft(`own-${name}`, {
      own: { userId: who.id, ruleId: id },
      severity: 'high',
      message: `${name}: BTC is above 90,000`,
      sourceAt: s.clock.now(),
    }),
  ]);
}

describe('user-written texts', () => {
  test('appear verbatim in emails, with headers we set', async () => {
    expect((await rulesApi(s, ann).add(rule({ name: HARM, description: SCRIPT }))).statusCode).toBe(200);
    await fire(ann, HARM);
    const page = contactPage(s);
    const sent = await page.send(
      await page.solvedForm({
        name: HARM,
        subject: HARM,
        message: `${SCRIPT}\n${BREAKS}`,
        email: 'writer@people.example',
      }),
    );
    expect(sent.statusCode, sent.body).toBe(200);
    await sendRequest(
      s,
      'POST',
      '/api/auth/login',
      { email: ann.email, password: PASSWORD },
      { agent: `${HARM} Chrome/1` },
    );
    const other = await registerUser(s, 'other');
    await admin.post(`/api/admin/users/${other.id}/disable`, { reason: HARM });
    await deliver();
    expect(mailsTo(ann.email).length).toBeGreaterThan(0);
    expect(mailsTo(BRAND.supportEmail)).toHaveLength(1);
    for (const { html = '', subject = '', raw, rcptTo } of sink.emails) {
      harmless(html, subject);
      expect(html).not.toContain('49');
      expect(rcptTo).toHaveLength(1);
      const [head = ''] = raw.split('\r\n\r\n');
      expect(head).not.toMatch(/^bcc:/im);
      expect(head.split('\r\n').filter((line) => /^subject:/i.test(line))).toHaveLength(1);
    }
    expect(mailsTo(ann.email).some(({ html = '' }) => html.includes('{{7*7}}${7*7}%s%n'))).toBe(true);
  });

  test('are JSON that no browser renders as a page', async () => {
    await createWebhook(ann, { name: HARM, url: 'https://hooks.example.com/x' });
    await makeKey(ann, { name: HARM });
    for (const path of [
      '/api/alerts',
      '/api/alerts/thresholds',
      '/api/webhooks',
      '/api/keys',
      '/api/settings/export',
    ]) {
      const { headers, body } = await ann.get(path);
      expect([path, body.includes('onerror')]).toEqual([path, true]);
      expect([path, String(headers['content-type']).startsWith('application/json')]).toEqual([path, true]);
      expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff']);
    }
    for (const path of ['/api/admin/contact', '/api/admin/users', '/api/admin/audit', '/api/admin/mail']) {
      const { headers, statusCode } = await admin.get(path);
      expect([path, statusCode, String(headers['content-type']).split(';')[0]]).toEqual([
        path,
        200,
        'application/json',
      ]);
    }
  });

  test('appear on no public page except incidents, which show them as raw text', async () => {
    await admin.post('/api/admin/incidents', {
      title: HARM,
      impact: 'major',
      components: ['website'],
      message: SCRIPT,
    });
    await s.product.refresh();
    for (const path of ['/', '/about', '/status', '/app', '/app/sources', '/nothing-here', '/widgets/ticker']) {
      const { body, headers } = await s.get(path);
      expect(String(headers['content-type'])).toContain('text/html');
      harmless(body, path);
    }
    const feed = await s.get('/status.atom');
    harmless(feed.body, 'feed');
    expect(feed.body).toContain('{{7*7}}');
  });

  test('in a URL appear as raw text on pages that show it', async () => {
    for (const [path, status] of [
      [`/widgets/price?coin=${encodeURIComponent(HARM)}`, 400],
      [`/widgets/${encodeURIComponent(HARM)}`, 404],
      [`/app/${encodeURIComponent(SCRIPT)}`, 404],
      [`/${encodeURIComponent(SCRIPT)}?q=${encodeURIComponent(SCRIPT)}`, 404],
      [`/unsubscribe-success?email=${encodeURIComponent(SCRIPT)}`, 200],
      [`/api/unsubscribe?t=${encodeURIComponent(SCRIPT)}`, 400],
      [`/auth/confirm-error?reason=${encodeURIComponent(SCRIPT)}`, 200],
      [`/app?auth=${encodeURIComponent(SCRIPT)}`, 200],
    ] as const) {
      const { statusCode, body } = await s.get(path);
      expect([path, statusCode]).toEqual([path, status]);
      harmless(body, path);
    }
  });
});

test('user-written formulas: are text in alert and public API files', async () => {
  for (const name of FORMULAS) {
    await rulesApi(s, ann).add(rule({ name }));
    await fire(ann, name);
  }
  const key = (await makeKey(ann, { name: 'Files', scopes: ['alerts', 'market'] })).api_key;
  const order = { dataTypes: ['alerts'], dateRange: '7d', format: 'csv' };
  const files = [
    await ann.post('/api/exports/create', order),
    await s.get('/api/v1/alerts?format=csv', { 'x-api-key': key }),
    await s.get('/api/v1/thresholds?format=csv', { 'x-api-key': key }),
  ];
  for (const { statusCode, body } of files) {
    expect(statusCode, body.slice(0, 200)).toBe(200);
    expect(body).toContain('HYPERLINK');
    // In every cell, quoted or not.
    expect(body.match(/(^|[,\n])"?[=@＝][^,\n]*/gm)).toBeNull();
  }
});
