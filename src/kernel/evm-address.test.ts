import fc from 'fast-check';
import { getAddress, toHex } from 'viem';
import { expect, test } from 'vitest';

import { checksummed, isChecksummed } from './evm-address.ts';

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
