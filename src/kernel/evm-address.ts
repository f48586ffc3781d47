import { keccak_256 } from '@noble/hashes/sha3.js';

/** The checksum of an address is encoded in its capital letters (EIP-55). */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const capital = (i: number) => Number.parseInt(hash.charAt(i), 16) > 7;
  return `0x${digits.replaceAll(/[a-f]/g, (digit, i: number) => (capital(i) ? digit.toUpperCase() : digit))}`;
}

/** All-lowercase addresses are refused too: they would not reveal a typo. */
export const isChecksummed = (address: string): boolean =>
  /^0x[0-9a-fA-F]{40}$/.test(address) && checksummed(address) === address;
