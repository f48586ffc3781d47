import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Started, start } from '#tests/support/start.ts';

let plain: Started;
let secure: Started;
beforeAll(async () => {
  plain = await start();
  secure = await start({ env: { PUBLIC_URL: 'https://meridian.example' } });
  await plain.product.rebuild();
  await secure.product.rebuild();
});
afterAll(async () => {
  await plain.stop();
  await secure.stop();
});

const PAGES = ['/', '/about', '/app', '/app/sources', '/reset-password', '/nothing-here'];

describe('headers of every page', () => {
  test.each(PAGES)('%s: strict policy, no frames, no referrer to others, HSTS behind TLS only', async (path) => {
    const { headers } = await plain.get(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/);
    expect(policy).toMatch(/style-src 'self'( 'sha256-[\w+/=]+')+;/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toBeUndefined();
    const behindTls = await secure.get(path);
    expect(behindTls.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  test.each(PAGES)('%s: no text reaches a place that runs it but through the named policy', async (path) => {
    const policy = String((await plain.get(path)).headers['content-security-policy']).split('; ');
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain('trusted-types meridian');
  });

  test.each(['/reset-password?token=x', '/auth/confirm-success?token=x'])('%s sends no referrer', async (path) => {
    expect((await plain.get(path)).headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('calls from another origin', () => {
  test('are not opened to it: no preflight, no allowance on any answer', async () => {
    const origin = 'https://elsewhere.example';
    const preflight = await plain.product.app.inject({
      method: 'OPTIONS',
      url: '/api/auth/login',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    const answers = [preflight, await plain.get('/api/auth/options', { origin }), await plain.get('/app', { origin })];
    expect(preflight.statusCode).toBe(404);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
