import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';

/** What only the browser knows. */
export type BrowserKeys = { ecdh: ECDH; auth: Buffer };

export function makeBrowserKeys(): BrowserKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

const SALT_BYTES = 16;
const POINT_BYTES = 65;
const TAG_BYTES = 16;
const LAST_RECORD = 2;

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** RFC 8291 with the one record that a push message is. Throws when it is not meant for these keys. */
export function decrypt(body: Buffer, { ecdh, auth }: BrowserKeys): string {
  const salt = body.subarray(0, SALT_BYTES);
  const recordBytes = body.readUInt32BE(SALT_BYTES);
  const idBytes = body.readUInt8(SALT_BYTES + 4);
  if (idBytes !== POINT_BYTES) throw new Error('The key id is not a public key of the curve P-256');
  const sender = body.subarray(SALT_BYTES + 5, SALT_BYTES + 5 + POINT_BYTES);
  const record = body.subarray(SALT_BYTES + 5 + POINT_BYTES);
  if (record.length > recordBytes) throw new Error('The message has more than one record');

  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const opening = createDecipheriv('aes-128-gcm', key, nonce);
  opening.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([opening.update(record.subarray(0, -TAG_BYTES)), opening.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD) throw new Error('The padding is not that of a last record');
  return padded.subarray(0, end).toString('utf8');
}

export type Sender = { publicKey: string; subject: string };

const part = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;

const DAY_SECONDS = 86_400;

/** RFC 8292: who sends, or a reason why it cannot be believed. Tokens run by the clock of the machine, whatever time it is here. */
export function readVapid(header: string, audience: string): Sender | string {
  const [, token = '', publicKey = ''] = /^vapid t=([^,\s]+),\s*k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== POINT_BYTES || point[0] !== 4) return 'the key is not a public key of the curve P-256';
  const key = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const given = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, given)) return 'the signature does not fit';
  if (part(head)['alg'] !== 'ES256') return 'the algorithm is not ES256';
  const { aud, exp, sub } = part(claims);
  if (aud !== audience) return `the token is for ${String(aud)}`;
  const left = Number(exp) - Date.now() / 1000;
  if (!(left > 0 && left <= DAY_SECONDS)) return 'the token has run out, or runs longer than a day';
  if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub)) return 'the token names nobody to turn to';
  return { publicKey, subject: sub };
}
