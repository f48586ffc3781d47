import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in 43 characters. Only `hashToken` of it is stored. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
