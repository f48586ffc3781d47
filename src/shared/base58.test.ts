import { randomBytes } from 'node:crypto';

import { getBase58Codec } from '@solana/kit';
import { expect, test } from 'vitest';

import { fromBase58, toBase58 } from './base58.ts';

test('base58 encodes and decodes like the Solana codec, including leading zeros', () => {
  const codec = getBase58Codec();
  for (let round = 0; round < 300; round += 1) {
    const bytes = new Uint8Array(randomBytes(round % 2 === 0 ? 32 : 64));
    if (round % 5 === 0) bytes.fill(0, 0, (round / 5) % 33);
    const text = codec.decode(bytes);
    expect(toBase58(bytes)).toBe(text);
    expect(fromBase58(text, bytes.length)).toEqual(bytes);
  }
});

test('rejects invalid base58 or another length', () => {
  const key = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  expect(fromBase58(key, 32)).toHaveLength(32);
  for (const text of ['', '0OIl', `${key}1`, `1${key}`, `${key.slice(1)}é`, '1'.repeat(33), 'z'.repeat(999)])
    expect(fromBase58(text, 32), text).toBeUndefined();
});
