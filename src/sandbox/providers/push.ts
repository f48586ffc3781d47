import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';

import type { Market } from '#sandbox/market/market.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

/** The private keys of the browser. */
type BrowserKeys = { ecdh: ECDH; auth: Buffer };

function createBrowserKeys(): BrowserKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

const SALT_BYTES = 16;
const POINT_BYTES = 65;
const TAG_BYTES = 16;
const LAST_RECORD_DELIMITER = 2;

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** RFC 8291 with the single record of a push message. Throws when it was encrypted for other keys. */
export function decrypt(body: Buffer, { ecdh, auth }: BrowserKeys): string {
  const salt = body.subarray(0, SALT_BYTES);
  const recordBytes = body.readUInt32BE(SALT_BYTES);
  const idBytes = body.readUInt8(SALT_BYTES + 4);
  if (idBytes !== POINT_BYTES) throw new Error('The key id is not a public key of the curve P-256');
  const senderKey = body.subarray(SALT_BYTES + 5, SALT_BYTES + 5 + POINT_BYTES);
  const record = body.subarray(SALT_BYTES + 5 + POINT_BYTES);
  if (record.length > recordBytes) throw new Error('The message has more than one record');

  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD_DELIMITER) throw new Error('The padding is not that of a last record');
  return padded.subarray(0, end).toString('utf8');
}

export type Sender = { publicKey: string; subject: string };

const parseJwtPart = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;

const DAY_SECONDS = 86_400;

/**
 * RFC 8292: the sender, or the reason why it is invalid. Tokens expire by the clock of the machine, whatever the
 * simulated time.
 */
export function verifyVapid(header: string, audience: string): Sender | string {
  const [, token = '', publicKey = ''] = /^vapid t=([^,\s]+),\s*k=([\w-]+)$/.exec(header) ?? [];
  const [jwtHeader = '', claims = '', signature = ''] = token.split('.');
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
  const signed = Buffer.from(`${jwtHeader}.${claims}`);
  const signatureBytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signatureBytes))
    return 'the signature does not fit';
  if (parseJwtPart(jwtHeader)['alg'] !== 'ES256') return 'the algorithm is not ES256';
  const { aud, exp, sub } = parseJwtPart(claims);
  if (aud !== audience) return `the token is for ${String(aud)}`;
  const secondsLeft = Number(exp) - Date.now() / 1000;
  if (!(secondsLeft > 0 && secondsLeft <= DAY_SECONDS)) return 'the token has run out, or runs longer than a day';
  if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub)) return 'the token has no contact';
  return { publicKey, subject: sub };
}

/** One message as decrypted by the browser. */
export type Received = {
  text: string;
  topic: string | null;
  ttl: number;
  urgency: string;
  at: string;
};

type Browser = {
  keys: BrowserKeys;
  applicationServerKey: string | null;
  isUnsubscribed: boolean;
  received: Received[];
};

const BASE = '/push';
const MAX_BYTES = 4096;
const MAX_STORED = 50;

const refuse = (status: number, error: string): ReplyError => new ReplyError({ status, body: { error } });
const readHeader = ({ headers }: Call, name: string): string => String(headers[name] ?? '');

/** Validates what RFC 8030 requires of every message, as browser push services do. */
function validateMessage(call: Call): { ttl: number; topic: string | null; urgency: string } {
  if (readHeader(call, 'content-encoding') !== 'aes128gcm') throw refuse(415, 'The encoding must be aes128gcm');
  if (call.rawBody.length > MAX_BYTES) throw refuse(413, 'The message is too large');
  const ttl = readHeader(call, 'ttl');
  if (!/^\d+$/.test(ttl)) throw refuse(400, 'TTL must be a number of seconds');
  const topic = readHeader(call, 'topic');
  if (!/^[\w-]{0,32}$/.test(topic)) throw refuse(400, 'Topic must be at most 32 characters of base64url');
  const urgency = readHeader(call, 'urgency') || 'normal';
  if (!/^(very-low|low|normal|high)$/.test(urgency)) throw refuse(400, 'Urgency is not known');
  return { ttl: Number(ttl), topic: topic || null, urgency };
}

/** The push service and the browsers themselves: only they can decrypt their messages. */
export function push(_market: Market): Provider {
  const browsers = new Map<string, Browser>();

  function find({ params }: Call): Browser {
    const browser = browsers.get(params['id'] ?? '');
    if (!browser) throw refuse(404, 'No such browser');
    return browser;
  }

  function receive(call: Call): void {
    const browser = find(call);
    const senderKey = verifyVapid(readHeader(call, 'authorization'), `http://${readHeader(call, 'host')}`);
    if (typeof senderKey === 'string') throw refuse(403, `Not authorised: ${senderKey}`);
    browser.applicationServerKey ??= senderKey.publicKey;
    if (browser.applicationServerKey !== senderKey.publicKey) throw refuse(403, 'Subscribed to another sender');
    if (browser.isUnsubscribed) throw refuse(410, 'The subscription has ended');
    const manner = validateMessage(call);
    try {
      browser.received.push({
        text: decrypt(call.rawBody, browser.keys),
        ...manner,
        at: new Date(call.now).toISOString(),
      });
      browser.received.splice(0, browser.received.length - MAX_STORED);
    } catch (error) {
      throw refuse(400, `The browser cannot read it: ${String(error)}`);
    }
  }

  function createBrowser(call: Call) {
    const id = randomUUID();
    const keys = createBrowserKeys();
    const { applicationServerKey = null } = (call.json ?? {}) as { applicationServerKey?: string };
    browsers.set(id, { keys, applicationServerKey, isUnsubscribed: false, received: [] });
    return {
      id,
      endpoint: `http://${readHeader(call, 'host')}${BASE}/${id}`,
      keys: { p256dh: keys.ecdh.getPublicKey('base64url'), auth: keys.auth.toString('base64url') },
    };
  }

  return {
    id: 'push',
    base: BASE,
    env: { PUSH_TEST_ORIGIN: { scheme: 'http', path: '' } },
    routes: [
      { path: '/browsers', handle: (call) => ({ status: 201, body: createBrowser(call) }) },
      {
        path: '/browsers/:id',
        handle: (call) => {
          const browser = find(call);
          if (call.method === 'DELETE') browser.isUnsubscribed = true;
          return { body: { isUnsubscribed: browser.isUnsubscribed, received: browser.received } };
        },
      },
      {
        path: '/:id',
        handle: (call) => {
          receive(call);
          return { status: 201, body: '' };
        },
      },
    ],
    notFound: { status: 404, body: { error: 'Not found' } },
    rateLimited: { error: 'Too many messages' },
    serverError: { error: 'The service is not available' },
  };
}
