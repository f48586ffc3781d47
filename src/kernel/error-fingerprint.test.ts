import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { computeFingerprint, normalizeMessage } from './error-store.ts';

const of = (message: string) => computeFingerprint('CoinGecko', 'api_failure', message);

describe('the fingerprint of a failure', () => {
  test.each([
    ['Rule 17 cannot be judged', 'Rule # cannot be judged'],
    ['took 1,234.5 ms at 12:03:44', 'took # ms at #'],
    ['no row 4f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'no row #'],
    ['block 0xdeadbeef and 00cafe1234', 'block # and #'],
    ['job aGVsbG8gd29ybGQ0Mg is lost', 'job # is lost'],
    ['https://api.example/v3/coins?ids=btc&key=x refused', 'https://api.example/v#/coins refused'],
    ['Failed to load https://m.example/assets/app-CkOME_nP.js', 'Failed to load https://m.example/assets/app.js'],
    ['two\n  lines', 'two lines'],
    ['OKX answered 503 after 20 s', 'OKX answered 503 after # s'],
  ])('%j is the same as any %j', (message, shape) => {
    expect(normalizeMessage(message)).toBe(shape);
  });

  test('numbers, ids and queries make no difference; all else does', () => {
    const word = fc.stringMatching(/^[a-z]{1,7}$/);
    const part = fc.record({ word, number: fc.nat(), other: fc.nat(), id: fc.uuid(), sameId: fc.uuid() });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), word, (parts, more) => {
        const first = parts.map(
          ({ word, number, id }) => `${word} ${number} of ${id} at https://a.b/c?${word}=${number}`,
        );
        const again = parts.map(
          ({ word, other, sameId }) => `${word} ${other} of ${sameId} at https://a.b/c?x=${other}`,
        );
        expect(of(again.join(' '))).toBe(of(first.join(' ')));
        expect(of(`${again.join(' ')} ${more}`)).not.toBe(of(first.join(' ')));
      }),
    );
  });

  test('source and type distinguish failures, as does the response status', () => {
    const message = 'CoinGecko answered 503';
    const all = [
      of(message),
      of('CoinGecko answered 429'),
      computeFingerprint('OKX', 'api_failure', message),
      computeFingerprint('CoinGecko', 'system', message),
    ];
    expect(new Set(all).size).toBe(4);
  });

  test('is computed quickly for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (message) => {
        expect(of(message)).toMatch(/^[\da-f]{32}$/);
      }),
    );
    for (const text of [
      'a-'.repeat(50_000),
      'f'.repeat(100_000),
      `http://${'x'.repeat(100_000)}`,
      '1,'.repeat(50_000),
    ]) {
      const began = performance.now();
      of(text);
      expect(performance.now() - began).toBeLessThan(200);
    }
  });
});
