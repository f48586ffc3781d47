import { ECDH } from 'node:crypto';

import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/errors.ts';
import type { DataMode } from '#shared/provenance.ts';

/** The push services of the browsers there are: nothing else is ever asked in the name of a person. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^[a-z\d-]+\.push\.services\.mozilla\.com$/,
  /^([a-z\d-]+\.)+notify\.windows\.com$/,
  /^([a-z\d-]+\.)*push\.apple\.com$/,
];

export type Allowed = { config: Pick<Config, 'PUSH_TEST_ORIGIN'>; mode: DataMode };

const KEY_BYTES = 65;
const SECRET_BYTES = 16;

/** Written as a browser would write it: nothing that one parser reads in another way than the next. */
function plainUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.href === text && url.username === '' && url.password === '' && url.hash === '' ? url : null;
}

const isTest = (url: URL, { config }: Allowed) =>
  config.PUSH_TEST_ORIGIN !== '' && url.origin === config.PUSH_TEST_ORIGIN;

const isService = ({ protocol, port, hostname }: URL) =>
  protocol === 'https:' && port === '' && SERVICES.some((service) => service.test(hostname));

/** Whether this address may be sent to, as things are set now. */
export function isAllowed(endpoint: string, allowed: Allowed): boolean {
  const url = plainUrl(endpoint);
  return url !== null && (isTest(url, allowed) || (allowed.mode === 'live' && isService(url)));
}

export function checkEndpoint(endpoint: string, allowed: Allowed): void {
  if (isAllowed(endpoint, allowed)) return;
  const url = plainUrl(endpoint);
  if (allowed.mode === 'demo' && url && isService(url)) {
    throw new AppError(
      'bad_request',
      'Demo mode sends nothing outside this machine: subscribe a browser to the simulated push service instead',
    );
  }
  throw new AppError('bad_request', 'The endpoint does not belong to a known push service');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

/** Both as base64url. A key that is no point of the curve would fail with each message. */
export function checkKeys({ p256dh, auth }: { p256dh: string; auth: string }): { p256dh: string; auth: string } {
  const key = bytesOf(p256dh);
  const secret = bytesOf(auth);
  if (key.length !== KEY_BYTES || !isPoint(key)) {
    throw new AppError('bad_request', `keys.p256dh: must be a ${KEY_BYTES}-byte public key on the P-256 curve`);
  }
  if (secret.length !== SECRET_BYTES) throw new AppError('bad_request', `keys.auth: must be ${SECRET_BYTES} bytes`);
  return { p256dh: key.toString('base64url'), auth: secret.toString('base64url') };
}

function isPoint(key: Buffer): boolean {
  try {
    return key[0] === 4 && ECDH.convertKey(key, 'prime256v1').length > 0;
  } catch {
    return false;
  }
}
