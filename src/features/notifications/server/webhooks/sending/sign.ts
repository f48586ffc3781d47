import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** `t=seconds,v1=hex`, one `v1` per secret: HMAC-SHA256 of `t.body`. */
export function signatureOf(secrets: readonly string[], at: Date, body: string): string {
  const t = Math.floor(at.getTime() / 1000);
  const parts = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`);
  return [`t=${t}`, ...parts].join(',');
}
