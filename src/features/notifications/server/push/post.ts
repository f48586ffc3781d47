import { ECDH } from 'node:crypto';
import type { PushMessage } from '#features/notifications/contract/push.ts';
import type { Config } from '#kernel/config.ts';
import { AppError, errorMessage } from '#kernel/errors.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { PushContext } from './context.ts';
import type { encrypt } from './encrypt.ts';
import type { BrowserRow } from './store.ts';

/** Push services of known browsers: no other host is ever called on behalf of a user. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^[a-z\d-]+\.push\.services\.mozilla\.com$/,
  /^([a-z\d-]+\.)+notify\.windows\.com$/,
  /^([a-z\d-]+\.)*push\.apple\.com$/,
];

type Allowed = { config: Pick<Config, 'PUSH_TEST_ORIGIN'>; mode: DataMode };

const KEY_BYTES = 65;
const SECRET_BYTES = 16;

/** Accepts only the form a browser would write, so that all parsers agree on it. */
function plainUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.href === text && url.username === '' && url.password === '' && url.hash === '' ? url : null;
}

const isTest = (url: URL, { config }: Allowed) =>
  config.PUSH_TEST_ORIGIN !== '' && url.origin === config.PUSH_TEST_ORIGIN;

const isService = ({ protocol, port, hostname }: URL) =>
  protocol === 'https:' && port === '' && SERVICES.some((service) => service.test(hostname));

/** Whether the current configuration allows sending to this endpoint. */
function isAllowed(endpoint: string, allowed: Allowed): boolean {
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

function decodeBase64Url(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

/** Both as base64url. A key that is not on the curve would fail with every message. */
export function checkKeys({ p256dh, auth }: { p256dh: string; auth: string }): { p256dh: string; auth: string } {
  const key = decodeBase64Url(p256dh);
  const secret = decodeBase64Url(auth);
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

export type PushResponse =
  | { kind: 'accepted' }
  /** The subscription has ended. */
  | { kind: 'gone' }
  | { kind: 'later'; note: string; afterMs?: number }
  | { kind: 'refused'; note: string };

export type SendOptions = {
  /**
   * At most 32 characters of base64url: of the pending messages with the same topic, the push service keeps only the
   * last.
   */
  topic?: string;
  ttlSeconds: number;
  urgency: 'normal' | 'high';
};

const TIMEOUT_MS = 10_000;
const ENCRYPT = new URL('./encrypt.ts', import.meta.url).href;

let turn: Promise<unknown> = Promise.resolve();

/** Runs tasks one at a time, so that other work of the background thread does not wait behind a batch of encryptions. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const current = turn.then(work);
  turn = current.catch(() => undefined);
  return current;
}

/** Sends one message to the push service of one browser. Rejects only when aborted. */
export async function postTo(
  { vapid, thread, now, ...allowed }: PushContext,
  { endpoint, p256dh, auth }: BrowserRow,
  message: PushMessage,
  { topic, ttlSeconds, urgency }: SendOptions,
  signal?: AbortSignal,
): Promise<PushResponse> {
  if (!isAllowed(endpoint, allowed)) return { kind: 'gone' };
  const { origin, hostname } = new URL(endpoint);
  const manner = {
    headers: { Authorization: await vapid.authorization(origin) },
    TTL: ttlSeconds,
    urgency,
    ...(topic ? { topic } : {}),
  };
  const { headers, body } = await inTurn(() =>
    thread.call<ReturnType<typeof encrypt>>(
      ENCRYPT,
      'encrypt',
      { endpoint, p256dh, auth },
      JSON.stringify(message),
      manner,
    ),
  );
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const why = limit.aborted
      ? `did not respond within ${TIMEOUT_MS / 1000} s`
      : `is unreachable (${errorMessage(error)})`;
    return { kind: 'later', note: `${hostname} ${why}` };
  }
  await response.body?.cancel();
  return readAnswer(response, hostname, now());
}

function readAnswer({ ok, status, headers }: Response, hostname: string, now: Date): PushResponse {
  if (ok) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const note = `${hostname} returned ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', note };
  const afterMs = parseRetryAfterMs(headers.get('retry-after'), now);
  return { kind: 'later', note, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** Retry-After is a number of seconds or a date. */
function parseRetryAfterMs(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) * 1000 : undefined;
}
