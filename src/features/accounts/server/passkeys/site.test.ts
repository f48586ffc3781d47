import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { toSite } from './web-authn.ts';

describe('the passkey site', () => {
  test.each([
    ['https://meridian.example', 'meridian.example', 'https://meridian.example'],
    ['https://app.meridian.example:8443/under/here', 'app.meridian.example', 'https://app.meridian.example:8443'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
    ['http://127.0.0.1', 'localhost', 'http://localhost'],
    ['http://[::1]:3000', 'localhost', 'http://localhost:3000'],
    ['https://127.evil.example', '127.evil.example', 'https://127.evil.example'],
  ])('for %s is %s at %s', (publicUrl, rpId, origin) => {
    expect(toSite(publicUrl)).toEqual({ rpId, origin });
  });

  test.each(['http://192.168.1.5:3000', 'https://203.0.113.7', 'http://0.0.0.0:3000', 'http://[2001:db8::1]:3000'])(
    'for %s is undefined: a bare address has no passkeys',
    (publicUrl) => expect(toSite(publicUrl)).toBeNull(),
  );

  test('for a domain is that domain, at the exact address', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { hostname, origin } = new URL(url);
        expect(toSite(url)).toEqual({ rpId: hostname, origin });
      }),
    );
  });
});
