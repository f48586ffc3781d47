import { createHash } from 'node:crypto';

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VERSION = '0488b21e';
const BYTES = 82;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** True for an extended public key whose checksum fits. */
export function isXpub(text: string): boolean {
  let value = 0n;
  for (const letter of text) {
    const digit = LETTERS.indexOf(letter);
    if (digit < 0) return false;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  if (hex.length > BYTES * 2) return false;
  const bytes = Buffer.from(hex.padStart(BYTES * 2, '0'), 'hex');
  const [body, sum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  return body.toString('hex').startsWith(VERSION) && sha256(sha256(body)).subarray(0, 4).equals(sum);
}
