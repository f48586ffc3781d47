import { createHash } from 'node:crypto';

import { fromBase58, toBase58 } from '#shared/base58.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const ASSOCIATED_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const KEY_BYTES = 32;

const P = 2n ** 255n - 19n;
const mod = (n: bigint) => ((n % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [factor, rest] = [mod(base), exponent]; rest > 0n; rest >>= 1n, factor = mod(factor * factor))
    if (rest & 1n) result = mod(result * factor);
  return result;
}

const D = mod(-121_665n * power(121_666n, P - 2n));

/** Whether these bytes are a point of ed25519: only such an address can have a key. */
function isOnCurve(bytes: Uint8Array): boolean {
  const y = mod(BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & (2n ** 255n - 1n));
  const [above, below] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  return power(above * below, (P - 1n) / 2n) <= 1n;
}

/** The account that a wallet holds a token in; undefined when either is no address. */
export function tokenAccountOf(wallet: string, mint: string): string | undefined {
  const seeds = [wallet, TOKEN_PROGRAM, mint].map((key) => fromBase58(key, KEY_BYTES));
  if (seeds.includes(undefined)) return undefined;
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed ?? '');
    hash.update(Uint8Array.of(bump)).update(fromBase58(ASSOCIATED_PROGRAM, KEY_BYTES) ?? '');
    const bytes = hash.update('ProgramDerivedAddress').digest();
    if (!isOnCurve(bytes)) return toBase58(bytes);
  }
  return undefined;
}
