import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLocal } from '#kernel/analytics.ts';
import { loadConfig } from '#kernel/config.ts';
import { type Started, start } from '#tests/support/start.ts';

const SCRIPT = 'https://stats.example/js/script.js?site=a&b';
const ADDRESS = { PUBLIC_URL: 'https://meridian.example' };

let off: Started;
let local: Started;
let on: Started;
beforeAll(async () => {
  off = await start({ env: ADDRESS });
  local = await start({ env: { ANALYTICS_SCRIPT_URL: SCRIPT, PUBLIC_URL: 'http://192.168.0.7:3000' } });
  on = await start({ env: { ...ADDRESS, ANALYTICS_SCRIPT_URL: SCRIPT } });
  for (const each of [off, local, on]) await each.product.rebuild();
});
afterAll(async () => {
  for (const each of [off, local, on]) await each.stop();
});

const OPEN = ['/', '/about', '/app', '/app/terms', '/nothing-here'];
const CLOSED = ['/app/profile', '/app/admin', '/reset-password?token=x', '/auth/confirm-success?token=x'];
const inline = (html: string) => [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
const hashes = (html: string) =>
  inline(html).map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
const directive = (headers: Record<string, unknown>, name: string) =>
  String(headers['content-security-policy'])
    .split('; ')
    .find((part) => part.startsWith(`${name} `));

describe('page statistics', () => {
  test.each([...OPEN, ...CLOSED])('%s loads none by default, and none where the site is local', async (path) => {
    for (const each of [off, local]) {
      const { body, headers } = await each.get(path);
      expect(body).not.toContain('stats.example');
      expect(directive(headers, 'script-src')).toBe(`script-src 'self' ${hashes(body).join(' ')}`);
      expect(directive(headers, 'connect-src')).toBe("connect-src 'self'");
    }
  });

  test.each(OPEN)('%s loads the one that is set, and the policy lets in its origin alone', async (path) => {
    const { body, headers } = await on.get(path);
    expect(inline(body).filter((text) => text.includes(SCRIPT))).toHaveLength(1);
    expect(directive(headers, 'script-src')).toBe(`script-src 'self' ${hashes(body).join(' ')} https://stats.example`);
    expect(directive(headers, 'connect-src')).toBe("connect-src 'self' https://stats.example");
    expect(directive(headers, 'trusted-types')).toBe('trusted-types meridian meridian-statistics');
    expect(body).toContain("createPolicy('meridian-statistics',");
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.each(CLOSED)('%s, a page of an account, loads none even so', async (path) => {
    const { body, headers } = await on.get(path);
    expect(body).not.toContain('stats.example');
    expect(String(headers['content-security-policy'])).not.toContain('stats.example');
  });

  test('the About text of the installation names the host, for the Privacy Policy', async () => {
    expect((await on.get('/api/about')).json().analytics).toBe('stats.example');
    expect((await off.get('/api/about')).json().analytics).toBeNull();
    expect((await local.get('/api/about')).json().analytics).toBeNull();
  });

  test.each(['http://stats.example/a.js', '//stats.example/a.js', 'javascript:alert(1)', 'nonsense'])(
    '%s is refused at the start',
    (value) => {
      expect(() => loadConfig({ ANALYTICS_SCRIPT_URL: value })).toThrow(
        'Configuration: ANALYTICS_SCRIPT_URL: must be an https:// URL',
      );
    },
  );
});

describe('a host', () => {
  test.each([
    'localhost',
    'localhost.',
    'meridian',
    'app.localhost',
    'printer.local',
    'a.internal',
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '192.168.1.4',
    '172.16.0.1',
    '172.31.255.1',
    '169.254.1.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[::ffff:7f00:1]',
  ])('%s is local', (host) => expect(isLocal(host)).toBe(true));
  test.each([
    'meridian.example',
    '10.example.com',
    '127.0.0.1.example',
    'local.example',
    '172.32.0.1',
    '8.8.8.8',
    '[2606:4700::1111]',
    'notlocalhost.example',
  ])('%s is not', (host) => expect(isLocal(host)).toBe(false));
});
