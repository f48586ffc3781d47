import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type NameServer, startNameServer } from '#tests/support/dns-server.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { createBrowser, toSubscription } from '#tests/support/push.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { createWebhook } from '#tests/support/webhook-receiver.ts';

/** Addresses that are internal, or that parsers interpret differently. */
const INSIDE = [
  ...`http://127.0.0.1/ https://127.0.0.1/ https://127.1/ https://127.0.1/ https://0/ https://0.0.0.0/
    https://2130706433/ https://0x7f000001/ https://0x7f.0.0.1/ https://0177.0.0.1/
    https://017700000001/ https://①②⑦.⓪.⓪.①/ https://127。0。0。1/ https://１２７.0.0.1/ https://[::1]/
    https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/
    https://[0:0:0:0:0:ffff:10.0.0.1]/ https://[::127.0.0.1]/ https://[64:ff9b::127.0.0.1]/
    https://[2002:7f00:1::]/ https://[fe80::1]/ https://[fe80::1%25lo]/ https://[fd00::1]/
    https://[ff02::1]/ https://10.1.2.3/ https://172.16.0.1/ https://192.168.1.1/ https://100.64.0.1/
    https://169.254.169.254/latest/meta-data/ https://localhost/ https://LOCALHOST/ https://localhost./
    https://sub.localhost/ https://printer.local/ https://metadata.google.internal/ https://router.lan/
    https://intranet/ https://hooks.example.com:22/ https://hooks.example.com:5432/
    https://user:pass@hooks.example.com/ https://hooks.example.com@127.0.0.1/ https:127.0.0.1
    https:/127.0.0.1/ //127.0.0.1/ https:// file:///etc/passwd gopher://127.0.0.1:5432/_x
    ftp://hooks.example.com/x javascript:alert(1) data:text/html,x unix:/run/postgresql/.s.PGSQL.5432`.split(/\s+/),
  'https://127.0.0.1\\@hooks.example.com/',
  'https:\\\\127.0.0.1/',
  'https://hooks.example.com\r\nHost: inside/',
  'https://hooks.exa\tmple.com/',
];

let s: TestProduct;
let ann: TestUser;
let names: NameServer;
beforeAll(async () => {
  names = await startNameServer();
  s = await start({ env: { WEBHOOK_DNS: names.address, EMAIL_CONFIRMATION: 'off' } });
  ann = await registerUser(s, 'ann', 'premium');
});
afterAll(async () => {
  await s.stop();
  await names.close();
});

const said = (answer: Awaited<ReturnType<TestUser['get']>>) => [
  answer.statusCode,
  answer.json<{ code?: string }>().code,
];
const REFUSED = [400, 'bad_request'];

describe('all user-supplied addresses', () => {
  test('webhook: rejects internal targets, new or changed, in every form, without a DNS lookup', async () => {
    const hook = await createWebhook(ann, { url: 'https://hooks.example.com/x' });
    const asked = names.queries.length;
    for (const url of INSIDE)
      for (const format of ['generic', 'discord', 'slack']) {
        const made = await ann.post('/api/webhooks', { name: 'x', url, format });
        expect([url, format, ...said(made)]).toEqual([url, format, ...REFUSED]);
        const changed = await ann.put(hook.at, { name: 'x', url, format, enabled: true });
        expect([url, format, ...said(changed)]).toEqual([url, format, ...REFUSED]);
      }
    expect((await hook.now())?.host).toBe('hooks.example.com');
    expect(names.queries).toHaveLength(asked);
  });

  test('push service: accepts only real browser vendor hosts', async () => {
    const { keys } = toSubscription(await createBrowser(s));
    const alike = [
      'https://fcm.googleapis.com.evil.example/x',
      'https://fcm.googleapis.com@evil.example/x',
      'https://evil.example/fcm.googleapis.com',
      'https://fcm.googleapis.com:8443/x',
      'http://fcm.googleapis.com/x',
      'https://FCM.googleapis.com/x',
      'https://push.apple.com.evil.example/x',
      'https://evilpush.apple.com.example/x',
      'https://fcm.googleapis.com\\@evil.example/x',
    ];
    for (const endpoint of [...INSIDE, ...alike])
      expect([endpoint, ...said(await ann.post('/api/push/subscribe', { endpoint, keys }))]).toEqual([
        endpoint,
        ...REFUSED,
      ]);
    expect((await ann.get('/api/push/browsers')).json<{ browsers: unknown[] }>().browsers).toEqual([]);
  });

  test('image of a test notification: a path on this site', async () => {
    for (const icon of [...INSIDE, '//evil.example/x.png', '/\\evil.example/x.png', '/..//evil', '/x.png?u=https://e'])
      if (icon !== '/..//evil')
        expect([icon, ...said(await ann.post('/api/push/test', { title: 'x', body: 'x', icon }))]).toEqual([
          icon,
          ...REFUSED,
        ]);
  });

  test('logo: accepts the image itself, never a URL', async () => {
    for (const logo of [...INSIDE, 'data:image/svg+xml;base64,PHN2Zz4=', 'data:image/png;base64,x" onload="a()'])
      expect([logo, ...said(await ann.put('/api/exports/white-label', { name: null, logo, colour: null }))]).toEqual([
        logo,
        ...REFUSED,
      ]);
  });
});
