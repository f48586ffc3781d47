import { expect, test } from 'vitest';

import { fromBase58, toBase58 } from './base58.ts';

test('zeros in front are kept', () => {
  const bytes = Uint8Array.of(0, 0, 7);
  expect(toBase58(bytes)).toBe('118');
  expect(fromBase58('118', 3)).toEqual(bytes);
});

test('what is not base58 of that length is refused', () => {
  const key = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  expect(fromBase58(key, 32)).toHaveLength(32);
  for (const text of ['', '0OIl', `${key}1`, `1${key}`, `${key.slice(1)}é`, '1'.repeat(33), 'z'.repeat(999)])
    expect(fromBase58(text, 32), text).toBeUndefined();
});
