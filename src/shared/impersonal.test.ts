import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { impersonal } from './impersonal.ts';

describe('a text without personal data', () => {
  test.each([
    ['GET https://m.example/app?token=x#y failed', 'GET https://m.example/app failed'],
    ['at f (https://m.example/a.js?v=1:2:3)', 'at f (https://m.example/a.js)'],
    ['at f (https://m.example/assets/app-CkOME_nP.js:1:234)', 'at f (https://m.example/assets/app-CkOME_nP.js:1:234)'],
    ['https://ann:pw@m.example/x', 'https://m.example/x'],
    ['opened /unsubscribe-success?user=7', 'opened /unsubscribe-success'],
    ['mail to ann%40mail.example', 'mail to [address]'],
    ['of 192.168.0.12 or version 1.2.3', 'of [address] or version 1.2.3'],
    ['mk_live_4f9619ff8b86d01b42d00cf4fc964ff', '[redacted]'],
    ['x is undefined in CustomAlertThresholdsPageOfPremium', 'x is undefined in CustomAlertThresholdsPageOfPremium'],
    ['a ? b : c / d ? e', 'a ? b : c / d ? e'],
  ])('%j is redacted to %j', (text, told) => {
    expect(impersonal(text)).toBe(told);
  });

  test('no token and no email address gets through, wherever it appears', () => {
    const token = fc.stringMatching(/^[a-z]\d[A-Za-z0-9_-]{28,40}$/);
    const address = fc.stringMatching(/^[a-z]{3,8}\.[a-z]{3,8}$/).map((name) => `${name}@mail.example`);
    const around = fc.constantFrom(' ', '/', '"', '(', ')', '=', ': ', '\n');
    fc.assert(
      fc.property(token, address, around, around, (token, address, before, after) => {
        const told = impersonal(`call${before}${token}${after}of${before}${address}${after}end`);
        expect(told).not.toContain(token);
        expect(told).not.toContain(address);
      }),
    );
  });

  test('is fast for any text', () => {
    for (const text of [
      'a-'.repeat(2000),
      'a.'.repeat(2000),
      `${'a'.repeat(4000)}@`,
      '/'.repeat(4000),
      '1.'.repeat(2000),
    ]) {
      const began = performance.now();
      impersonal(text);
      expect(performance.now() - began).toBeLessThan(200);
    }
  });
});
