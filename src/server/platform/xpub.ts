import { createHash } from 'node:crypto';

import { fromBase58 } from '#shared/base58.ts';

const VERSION = '0488b21e';
const BYTES = 82;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** True for an extended public key whose checksum fits. */
export function isXpub(text: string): boolean {
  const bytes = Buffer.from(fromBase58(text, BYTES) ?? []);
  const [body, sum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  return body.toString('hex').startsWith(VERSION) && sha256(sha256(body)).subarray(0, 4).equals(sum);
}
