import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { isLocal } from '#kernel/analytics.ts';
import { loadConfig } from '#kernel/config.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const SCRIPT = 'https://stats.example/js/script.js?site=a&b';
const ADDRESS = { PUBLIC_URL: 'https://meridian.example' };

const s = fileProduct({ env: ADDRESS });
let [off, local, on] = [] as unknown as [Product, Product, Product];
beforeAll(async () => {
  off = s.product;
  local = await s.another({ ANALYTICS_SCRIPT_URL: SCRIPT, PUBLIC_URL: 'http://192.168.0.7:3000' });
  on = await s.another({ ANALYTICS_SCRIPT_URL: SCRIPT });
  for (const each of [off, local, on]) await each.rebuild();
});
const get = ({ app }: Product, url: string) => app.inject({ url });

const OPEN = ['/', '/about', '/app', '/app/terms', '/nothing-here'];
const CLOSED = ['/app/profile', '/app/admin', '/reset-password?token=x', '/auth/confirm-success?token=x'];
const inline = (html: string) => [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
const hashes = (html: string) =>
  inline(html).map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
const directive = (headers: Record<string, unknown>, name: string) =>
  String(headers['content-security-policy'])
    .split('; ')
    .find((part) => part.startsWith(`${name} `));

describe('page analytics', () => {
  test.each([...OPEN, ...CLOSED])('%s loads none by default, nor on a local site', async (path) => {
    for (const each of [off, local]) {
      const { body, headers } = await get(each, path);
      expect(body).not.toContain('stats.example');
      expect(directive(headers, 'script-src')).toBe(`script-src 'self' ${hashes(body).join(' ')}`);
      expect(directive(headers, 'connect-src')).toBe("connect-src 'self'");
    }
  });

  test.each(OPEN)('%s loads the configured script, and the policy allows only its origin', async (path) => {
    const { body, headers } = await get(on, path);
    expect(inline(body).filter((text) => text.includes(SCRIPT))).toHaveLength(1);
    expect(directive(headers, 'script-src')).toBe(`script-src 'self' ${hashes(body).join(' ')} https://stats.example`);
    expect(directive(headers, 'connect-src')).toBe("connect-src 'self' https://stats.example");
    expect(directive(headers, 'trusted-types')).toBe('trusted-types meridian meridian-statistics');
    expect(body).toContain("createPolicy('meridian-statistics',");
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.each(CLOSED)('%s, an account page, still loads none', async (path) => {
    const { body, headers } = await get(on, path);
    expect(body).not.toContain('stats.example');
    expect(String(headers['content-security-policy'])).not.toContain('stats.example');
  });

  test('the installation’s About text names the host for the Privacy Policy', async () => {
    expect((await get(on, '/api/about')).json().analytics).toBe('stats.example');
    expect((await get(off, '/api/about')).json().analytics).toBeNull();
    expect((await get(local, '/api/about')).json().analytics).toBeNull();
  });

  test.each(['http://stats.example/a.js', '//stats.example/a.js', 'javascript:alert(1)', 'nonsense'])(
    'rejects %s at startup',
    (value) => {
      expect(() => loadConfig({ ANALYTICS_SCRIPT_URL: value })).toThrow(
        'Configuration: ANALYTICS_SCRIPT_URL: must be an https:// URL',
      );
    },
  );
});

describe('a host', () => {
  const locals = `localhost localhost. meridian app.localhost printer.local a.internal 127.0.0.1 127.9.9.9 10.0.0.1
    192.168.1.4 172.16.0.1 172.31.255.1 169.254.1.1 0.0.0.0 [::1] [::] [fd12:3456::1] [fe80::1] [::ffff:7f00:1]`;
  const others = `meridian.example 10.example.com 127.0.0.1.example local.example 172.32.0.1 8.8.8.8
    [2606:4700::1111] notlocalhost.example`;
  test.each(locals.split(/\s+/))('%s is local', (host) => expect(isLocal(host)).toBe(true));
  test.each(others.split(/\s+/))('%s is not', (host) => expect(isLocal(host)).toBe(false));
});

const PAGES = ['/', '/about', '/app', '/app/sources', '/reset-password', '/nothing-here'];

describe('headers on every page', () => {
  test.each(PAGES)('%s: strict policy, no frames, no cross-origin referrer, HSTS only behind TLS', async (path) => {
    const { headers } = await get(local, path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/);
    expect(policy).toMatch(/style-src 'self'( 'sha256-[\w+/=]+')+;/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toBeUndefined();
    const behindTls = await get(off, path);
    expect(behindTls.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  test.each(PAGES)('%s: text reaches executable sinks only through the named policy', async (path) => {
    const policy = String((await get(local, path)).headers['content-security-policy']).split('; ');
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain('trusted-types meridian');
  });

  test.each(['/reset-password?token=x', '/auth/confirm-success?token=x'])('%s sends no referrer', async (path) => {
    expect((await get(local, path)).headers['referrer-policy']).toBe('no-referrer');
  });
});

test('allows no cross-origin calls: there is no preflight', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
  const preflight = await off.app.inject({ method: 'OPTIONS', url: '/api/auth/login', headers });
  expect(preflight.statusCode).toBe(404);
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});
