import fc from 'fast-check';
import { getAddress, keccak256 as oracle, toHex } from 'viem';
import { expect, test } from 'vitest';

import { checksummed, isChecksummed } from './evm-address.ts';
import { keccak256 } from './keccak.ts';

test('our hash is the one of Ethereum, whatever the length', () => {
  expect(keccak256(new Uint8Array()).toString('hex')).toBe(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  );
  for (const size of [1, 31, 135, 136, 137, 271, 272, 273, 1000]) {
    const bytes = new Uint8Array(size).map((_, i) => i * 7);
    expect(`0x${keccak256(bytes).toString('hex')}`).toBe(oracle(bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(`0x${keccak256(bytes).toString('hex')}`).toBe(oracle(bytes));
    }),
  );
});

test('capitals of an address are its checksum', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = toHex(bytes);
      expect(checksummed(address)).toBe(getAddress(address));
      expect(isChecksummed(getAddress(address))).toBe(true);
    }),
  );
});

test.each([
  ['small letters alone', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  ['a digit too few', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA0291'],
  ['another digit', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914'],
  ['two digits swapped', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA09213'],
  ['no address', 'treasury'],
])('%s has no checksum that fits', (_what, address) => {
  expect(isChecksummed(address)).toBe(false);
});
