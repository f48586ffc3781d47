import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, getAddress } from 'viem';
import { expect, test } from 'vitest';

import { transferData } from './base.ts';

const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));

test('the hand-written transfer equals viem’s, for any address and amount', () => {
  fc.assert(
    fc.property(addresses, fc.bigInt({ min: 0n, max: 2n ** 64n }), (to, units) => {
      expect(transferData(to, units)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
      );
    }),
  );
});
