import { beforeAll, describe, expect, test } from 'vitest';

import { contractRows } from '#tests/support/access.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { type TestUser } from '#tests/support/people.ts';
import { createWebhook } from '#tests/support/webhook-receiver.ts';

const SITE = 'https://meridian.example';
const ELSEWHERE = 'evil.example';
const GETS = (await contractRows()).filter(({ method }) => method === 'GET');
const PAGES = ['/', '/about', '/status', '/app', '/app/profile', '/app/admin', '/reset-password', '/nothing-here'];
const WIDGETS = ['/widgets/ticker', '/widgets/price', '/widgets/fear-greed', '/widgets/next-event'];

const s = fileProduct({ mode: 'demo', env: { PUBLIC_URL: SITE, EMAIL_CONFIRMATION: 'off' } });
const ann = member(s, 'ann', 'premium');
const admin = member(s, 'admin', 'admin');
let key: string;
beforeAll(async () => {
  for (const job of ['market.listing', 'metrics.listing', 'events.collect']) await s.job(job);
  key = (await makeKey(ann)).api_key;
});

const addressOf = (path: string) =>
  path.endsWith('/stream') ? `${path}?topics=none` : path.replaceAll(/:\w+/g, '999999999');
const inside = (headers: Awaited<ReturnType<TestUser['get']>>['headers'], name: string) =>
  [headers[name] ?? ''].flat().join(', ');
const isShared = (control: string) => /public|s-maxage|stale-while/.test(control) && !/private|no-store/.test(control);

test('responses to keyed requests are never stored by shared caches', async () => {
  for (const { path } of GETS.filter(({ endpoint: { scope } }) => scope !== undefined))
    for (const headers of [{}, { 'x-api-key': key }]) {
      const answer = await s.get(addressOf(path), headers);
      const control = inside(answer.headers, 'cache-control');
      expect([path, control, isShared(control)]).toEqual([path, expect.stringMatching(/./), false]);
      expect(inside(answer.headers, 'x-content-type-options')).toBe('nosniff');
    }
});

describe('pages on other origins', () => {
  test('may read only the public API, and never with credentials', async () => {
    for (const { path, endpoint } of GETS) {
      const { headers } = await s.get(addressOf(path), {
        origin: `https://${ELSEWHERE}`,
        authorization: `Bearer ${ann.token}`,
      });
      const allowed = inside(headers, 'access-control-allow-origin');
      const isApi = endpoint.scope !== undefined || path === '/api/openapi.json';
      expect([path, allowed]).toEqual([path, isApi ? '*' : '']);
      expect([path, inside(headers, 'access-control-allow-credentials')]).toEqual([path, '']);
    }
  });

  test('cannot submit an effective form, as there is no cookie to send', async () => {
    const { id } = await createWebhook(ann, { url: 'https://hooks.example.com/x' });
    for (const [method, url] of [
      ['POST', '/api/auth/logout'],
      ['POST', `/api/webhooks/${id}/secret`],
      ['POST', '/api/subscribe/trial'],
    ] as const) {
      const answer = await s.product.app.inject({
        method,
        url,
        headers: {
          origin: `https://${ELSEWHERE}`,
          cookie: `authToken=${ann.token}; token=${ann.token}; session=${ann.token}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: `authToken=${ann.token}`,
      });
      expect([url, answer.statusCode]).toEqual([url, 401]);
    }
  });

  test('may frame the widgets, which run no scripts', async () => {
    for (const path of WIDGETS) {
      const policy = inside((await s.get(path)).headers, 'content-security-policy');
      expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
      expect([path, policy.includes('unsafe')]).toEqual([path, false]);
    }
  });

  test('every page response has a policy, including email pages and refusals', async () => {
    const all = [
      ...PAGES,
      ...WIDGETS,
      '/widgets/price?coin=none',
      '/api/unsubscribe?t=x',
      '/demo-mail/none',
      '/app/none',
    ];
    for (const path of all) {
      const { headers } = await s.get(path);
      expect([path, inside(headers, 'content-type')]).toEqual([path, expect.stringContaining('text/html')]);
      expect([path, inside(headers, 'content-security-policy')]).toEqual([
        path,
        expect.stringMatching(/default-src 'none'/),
      ]);
    }
  });
});

describe('forged headers', () => {
  const LIES = {
    host: ELSEWHERE,
    'x-forwarded-host': ELSEWHERE,
    'x-forwarded-proto': 'http',
    forwarded: `host=${ELSEWHERE}`,
    'x-original-url': '/api/admin/users',
    'x-rewrite-url': '/api/admin/users',
  };

  test('the requested host appears in no link, page or email', async () => {
    for (const path of [
      ...PAGES,
      ...WIDGETS,
      '/robots.txt',
      '/sitemap.xml',
      '/status.atom',
      '/api/openapi.json',
      '/api/events.ics',
    ]) {
      const { body, headers } = await s.get(path, LIES);
      expect([path, body.includes(ELSEWHERE), inside(headers, 'location').includes(ELSEWHERE)]).toEqual([
        path,
        false,
        false,
      ]);
    }
    const answer = await s.product.app.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      headers: LIES,
      payload: { email: ann.email },
    });
    const { demoMail } = answer.json<{ demoMail: string }>();
    const mail = (await s.get(demoMail)).body;
    expect(mail).not.toContain(ELSEWHERE);
    expect(mail).toContain(`${SITE}/reset-password?token=`);
  });

  test('trusts a caller-supplied address only from a configured proxy', async () => {
    const codes: number[] = [];
    for (let n = 0; n < 31; n += 1)
      codes.push(
        (
          await s.product.app.inject({
            method: 'POST',
            url: '/api/auth/reset-password',
            remoteAddress: '10.55.1.1',
            headers: {
              'x-forwarded-for': `203.0.114.${n}`,
              'x-real-ip': `198.51.101.${n}`,
              forwarded: `for=192.0.3.${n}`,
            },
            payload: { token: 'none', newPassword: 'x' },
          })
        ).statusCode,
      );
    expect([codes.filter((code) => code === 429).length, codes.at(-1)]).toEqual([1, 429]);
  });

  test('ignores a method override in a header or query', async () => {
    const { id, at } = await createWebhook(ann, { url: 'https://hooks.example.com/x' });
    for (const url of [at, `${at}?_method=DELETE`, `${at}/attempts?_method=DELETE`])
      for (const method of ['GET', 'POST'] as const)
        await s.product.app.inject({
          method,
          url,
          headers: {
            authorization: `Bearer ${ann.token}`,
            'x-http-method-override': 'DELETE',
            'x-http-method': 'DELETE',
            'x-method-override': 'DELETE',
          },
        });
    const { webhooks } = (await ann.get('/api/webhooks')).json<{ webhooks: { id: number }[] }>();
    expect(webhooks.map((each) => each.id)).toContain(id);
  });
});

describe('paths that escape', () => {
  test.each([
    ...`/../package.json /..%2f..%2fpackage.json /%2e%2e/%2e%2e/package.json /%2e%2e%2f%2e%2e%2fpackage.json
      /..%5c..%5cpackage.json /assets/..%2f..%2f..%2fpackage.json /assets/%2e%2e/%2e%2e/%2e%2e/package.json
      /assets/%252e%252e%252fpackage.json /assets/%c0%ae%c0%ae/package.json /assets/%00 /favicon.svg%00.html
      /.vite/manifest.json /assets/../.vite/manifest.json /.env /.git/config /src/app/server/main.ts
      /package.json /file:///etc/passwd /etc/passwd //etc/passwd /demo-mail/..%2f..%2fpackage.json
      /widgets/..%2f..%2fpackage.json`.split(/\s+/),
    '/assets/..\\..\\package.json',
  ])('%s is not found', async (url) => {
    const { statusCode, body } = await s.get(url);
    expect([400, 404]).toContain(statusCode);
    expect(body).not.toMatch(/"name": "|root:.*:0:0|\[core\]|"src\/web/);
  });

  test.each(
    `/api/exports/..%2f..%2fetc%2fpasswd/file /api/exports/%2e%2e/file /api/exports/..%5c..%5cx/manifest
      /api/admin/export/..%2f..%2fusers /api/admin/export/pg_shadow /api/admin/contact/..%2f1/screenshot
      /api/history/..%2f..%2fusers/file /api/history/__proto__/file?format=csv /api/events/..%2f..%2fx.ics
      /api/billing/receipts/..%2f..%2fx`.split(/\s+/),
  )('rejects %s', async (url) => {
    const { statusCode, headers } = await admin.get(url);
    expect([400, 404]).toContain(statusCode);
    expect(inside(headers, 'content-type')).toContain('application/json');
  });

  test('no URL redirects to another site', async () => {
    const evil = `https://${ELSEWHERE}`;
    const queries = ['next', 'url', 'redirect', 'return', 'returnTo', 'continue', 'email', 'token', 'reason', 'auth'];
    const search = queries.map((name) => `${name}=${encodeURIComponent(evil)}`).join('&');
    for (const path of [
      `//${ELSEWHERE}`,
      `//${ELSEWHERE}/`,
      `//${ELSEWHERE}/%2e%2e`,
      `/\\${ELSEWHERE}/`,
      `/%5c${ELSEWHERE}`,
      `/%0d%0aLocation:%20${evil}`,
      ...[
        '/login',
        '/settings',
        '/advanced-analytics',
        '/advanced-export',
        '/api/auth/confirm-email',
        '/api/auth/confirm-address',
        '/api/unsubscribe',
      ].map((each) => `${each}?${search}`),
    ]) {
      const { headers, statusCode } = await s.get(path);
      const to = inside(headers, 'location');
      expect([path, statusCode < 500, /[\r\n]/.test(to)]).toEqual([path, true, false]);
      if (to !== '') expect([path, new URL(to, SITE).origin]).toEqual([path, SITE]);
    }
  });

  test('a line break in a parameter cannot end a header', async () => {
    for (const url of [
      '/api/events/a%0d%0aSet-Cookie:%20x=1.ics',
      '/api/history/bitcoin%0d%0aX-More:1/file?format=csv',
      '/api/v1/crypto-prices?cursor=%0d%0aX-More:1',
      '/api/unsubscribe?t=%0d%0aX-More:1',
    ]) {
      const { headers, statusCode } = await admin.get(url);
      expect([url, statusCode < 500, headers['x-more'], headers['set-cookie']]).toEqual([
        url,
        true,
        undefined,
        undefined,
      ]);
    }
  });
});
