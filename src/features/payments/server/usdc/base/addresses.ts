import { ECDH } from 'node:crypto';

import { keccak_256 } from '@noble/hashes/sha3.js';

import { checksummed } from '#kernel/evm-address.ts';

import contract from './contract/Deposit.json' with { type: 'json' };

/** Puts contracts where salt and code say, on every EVM chain; deployed by its author without a key. */
export const CREATE2_PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Gives each payment an address of its own, always the same one. */
export type AddressFor = (payment: { id: string; number: number }) => string | Promise<string>;

const keccak256 = (bytes: Uint8Array): Buffer => Buffer.from(keccak_256(bytes));
const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** What a payment's contract is put in place with, by `salt ++ code` sent to the proxy. */
export const depositSalt = (paymentId: string): Buffer => keccak256(Buffer.from(paymentId, 'utf8'));
export const depositCode = (treasury: string): Buffer =>
  Buffer.concat([bytesOf(contract.bytecode), Buffer.alloc(12), bytesOf(treasury)]);

/** Addresses of contracts that anybody may put there once money has come, and that pay to the treasury alone. No key opens them. */
export function contractAddresses(treasury: string): AddressFor {
  const [proxy, code] = [bytesOf(CREATE2_PROXY), keccak256(depositCode(treasury))];
  return ({ id }) => {
    const hash = keccak256(Buffer.concat([Buffer.from([0xff]), proxy, depositSalt(id), code]));
    return checksummed(`0x${hash.subarray(12).toString('hex')}`);
  };
}

/** Addresses of a wallet, by its public key at `m/44'/60'/0'/0`: payment 5 gets its address number 5. */
export function walletAddresses(xpub: string): AddressFor {
  let opened: Promise<{ deriveChild: (index: number) => { publicKey: Uint8Array | null } }> | undefined;
  // Half a tenth of a second and 23 MB that other installations do not pay for.
  const open = async () => {
    const { HDKey } = await import('viem/accounts');
    return HDKey.fromExtendedKey(xpub);
  };
  return async ({ number }) => {
    const { publicKey } = (await (opened ??= open())).deriveChild(number);
    if (!publicKey) throw new Error(`No address number ${number} follows from PAY_BASE_XPUB`);
    const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
    return checksummed(`0x${keccak256(point.subarray(1)).subarray(12).toString('hex')}`);
  };
}
