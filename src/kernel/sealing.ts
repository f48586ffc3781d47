import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export class UnreadableSecretError extends Error {
  override name = 'UnreadableSecret';
}

/** Values derived from one secret key; the key itself is not stored. */
export type Key = {
  /** Sixteen hexadecimal digits that identify a key without revealing it. */
  fingerprint: string;
  sealing: Buffer;
  hashing: Buffer;
};

/** Used before sealed texts named their key. */
const FIRST_VERSION = 'v1.';
const VERSION = 'v2.';
const NAMED = /^(v2\.([0-9a-f]{16})\.)([\w-]+)$/;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 8;
const SALT = 'meridian/secrets';

export function deriveKey(text: string): Key {
  const derive = (purpose: string, bytes = 32) => Buffer.from(hkdfSync('sha256', text, SALT, purpose, bytes));
  return {
    fingerprint: derive('fingerprint', FINGERPRINT_BYTES).toString('hex'),
    sealing: derive('seal'),
    hashing: derive('mac'),
  };
}

/** The prefix of every text sealed with this key. */
export const sealPrefix = (fingerprint: string): string => `${VERSION}${fingerprint}.`;

/** `v2.<fingerprint of the key>.<nonce, cipher text, tag>`; the prefix is authenticated too. */
export function sealWith(key: Key, text: string): string {
  const prefix = sealPrefix(key.fingerprint);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.sealing, nonce).setAAD(Buffer.from(prefix));
  const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return prefix + body.toString('base64url');
}

/** The fingerprint that a sealed text names; null for the first version, which names none. */
export function findKeyOf(sealed: string): string | null {
  if (sealed.startsWith(FIRST_VERSION)) return null;
  const [, , fingerprint] = NAMED.exec(sealed) ?? [];
  if (fingerprint === undefined) throw new UnreadableSecretError('Unknown version of an encrypted value');
  return fingerprint;
}

/** Undefined when it was sealed with another key or tampered with. */
export function openWith(key: Key, sealed: string): string | undefined {
  const [, prefix = FIRST_VERSION] = NAMED.exec(sealed) ?? [];
  const body = Buffer.from(sealed.slice(prefix.length), 'base64url');
  if (body.length < NONCE_BYTES + TAG_BYTES) throw new UnreadableSecretError('An encrypted value is truncated');
  const tagAt = body.length - TAG_BYTES;
  const cipher = createDecipheriv(CIPHER, key.sealing, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(prefix))
    .setAuthTag(body.subarray(tagAt));
  try {
    return Buffer.concat([cipher.update(body.subarray(NONCE_BYTES, tagAt)), cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

export const macWith = (hashing: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', hashing)
    .update(JSON.stringify([purpose, text]))
    .digest();
