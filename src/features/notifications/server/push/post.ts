import type { PushMessage } from '#features/notifications/contract/push.ts';
import { messageOf } from '#kernel/errors.ts';
import { isAllowed } from './addresses.ts';
import type { PushContext } from './context.ts';
import type { encrypt } from './encrypt.ts';
import type { BrowserRow } from './store.ts';

export type Posted =
  | { kind: 'accepted' }
  /** The browser has ended its subscription. */
  | { kind: 'gone' }
  | { kind: 'later'; note: string; afterMs?: number }
  | { kind: 'refused'; note: string };

export type Manner = {
  /** At most 32 characters of base64url: of what waits for a browser, only the last with a topic is kept. */
  topic?: string;
  ttlSeconds: number;
  urgency: 'normal' | 'high';
};

const TIMEOUT_MS = 10_000;
const ENCRYPT = new URL('./encrypt.ts', import.meta.url).href;

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: what else the side thread is asked for does not wait behind a batch of encryptions. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

/** Hands one message to the push service of one browser. Never rejects, but when it is called off. */
export async function postTo(
  { vapid, thread, now, ...allowed }: PushContext,
  { endpoint, p256dh, auth }: BrowserRow,
  message: PushMessage,
  { topic, ttlSeconds, urgency }: Manner,
  signal?: AbortSignal,
): Promise<Posted> {
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
      : `is unreachable (${messageOf(error)})`;
    return { kind: 'later', note: `${hostname} ${why}` };
  }
  await response.body?.cancel();
  return readAnswer(response, hostname, now());
}

function readAnswer({ ok, status, headers }: Response, hostname: string, now: Date): Posted {
  if (ok) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const note = `${hostname} returned ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', note };
  const afterMs = waitOf(headers.get('retry-after'), now);
  return { kind: 'later', note, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** Retry-After is a number of seconds or a moment. */
function waitOf(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) * 1000 : undefined;
}
