import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { codeAt, STEP_MS } from '#tests/support/passkey.ts';

import { findTimeStep, newBackupCodes, newSecret, otpauthUri, read } from './codes.ts';

const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('authenticator app codes', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('RFC 6238: at second %i the code is %s', (second, code) => {
    expect(findTimeStep(RFC_SECRET, code, new Date(second * 1000))).toBe(Math.floor(second / 30));
  });

  test('a code is valid in its own step and the ones before and after', () => {
    const moment = fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 });
    fc.assert(
      fc.property(moment, fc.integer({ min: -4, max: 4 }), (now, away) => {
        const secret = newSecret();
        const code = codeAt(secret, new Date(now + away * STEP_MS));
        const near = [0, -1, 1].filter((steps) => codeAt(secret, new Date(now + steps * STEP_MS)) === code);
        const step = near[0] === undefined ? null : Math.floor(now / STEP_MS) + near[0];
        expect(findTimeStep(secret, code, new Date(now))).toBe(step);
        if (Math.abs(away) <= 1) expect(near).toContain(away);
      }),
    );
  });

  test('a secret has 160 bits and is never repeated; its URI names the product and the account', () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(otpauthUri(RFC_SECRET, 'ann@people.example'));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Meridian:ann@people.example',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Meridian',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('backup codes', () => {
  test('are ten different codes of 4-4 characters without look-alikes', () => {
    for (let i = 0; i < 200; i++) {
      const codes = newBackupCodes();
      expect(new Set(codes).size).toBe(10);
      for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
    }
  });

  test('are case-insensitive and accept dashes and spaces or none', () => {
    const code = fc.constantFrom(...newBackupCodes());
    const between = fc.array(fc.constantFrom('', '-', ' ', '–', '\u00a0'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(code, between, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (code, gaps, small) => {
        const letters = Array.from(code.replace('-', ''));
        const typed = letters.map((letter, i) => gaps[i] + (small[i] ? letter.toLowerCase() : letter)).join('');
        expect(read(typed + gaps[8])).toEqual({ kind: 'backup', code: letters.join('') });
      }),
    );
  });

  test.each(['123456', '123 456', '123-456', ' 123456 '])('%j is treated as an app code', (typed) => {
    expect(read(typed)).toEqual({ kind: 'totp', code: '123456' });
  });

  test.each(['12345', '1234567', '１２３４５６', '12345a', ''])('%j is not', (typed) => {
    expect(read(typed).kind).toBe('backup');
  });
});
