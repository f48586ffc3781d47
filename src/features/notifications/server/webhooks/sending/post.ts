import { type ClientRequest, request as http, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Result } from '#features/notifications/contract/webhooks.ts';
import { parseRetryAfter } from '#kernel/http/http-client.ts';
import { oneLine } from '#kernel/mail/smtp.ts';
import type { WebhooksContext } from '../context.ts';
import { hostName, isLoopback, isPublic } from './check-url.ts';

export type WebhookResponse = Result & { afterMs?: number };
type WebhookRequest = { url: URL; body: string; headers: Record<string, string>; signal: AbortSignal };

const MAX_BYTES = 4096;
const MAX_EXCERPT_LENGTH = 160;
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);

/** An address that must not be called. */
class RefusedAddressError extends Error {}

/** Calls a URL once and reports the outcome; never rejects. */
export async function post(ctx: WebhooksContext, question: WebhookRequest): Promise<WebhookResponse> {
  const startedAt = performance.now();
  const limitMs = ctx.config.WEBHOOK_TIMEOUT_SECONDS * 1000;
  const limit = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([limit, question.signal]);
  const response = await ask(ctx, { ...question, signal }).catch((error: unknown): Omit<WebhookResponse, 'ms'> => {
    if (error instanceof RefusedAddressError) return { state: 'failed', status: null, note: error.message };
    if (limit.aborted) return { state: 'later', status: null, note: `No response within ${limitMs / 1000} s` };
    if (question.signal.aborted) return { state: 'later', status: null, note: 'Interrupted while sending' };
    return { state: 'later', status: null, note: failureText(error) };
  });
  return { ...response, ms: Math.round(performance.now() - startedAt) };
}

async function ask(ctx: WebhooksContext, question: WebhookRequest): Promise<Omit<WebhookResponse, 'ms'>> {
  const { signal } = question;
  const addresses = await Promise.race([checkedAddresses(ctx, hostName(question.url)), rejectOnAbort(signal)]);
  const response = await send(question, addresses);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    response.destroy();
    return { state: 'sent', status, note: `Answered ${status}` };
  }
  if (status >= 300 && status < 400) {
    response.destroy();
    return {
      state: 'failed',
      status,
      note: `Responded with ${status}: redirects are not followed. Enter the final URL.`,
    };
  }
  const excerpt = await readExcerpt(response);
  const note = `Answered ${status}${excerpt && `: ${excerpt}`}`;
  if (status === 410) return { state: 'dropped', status, note };
  if (status < 500 && !RETRYABLE_STATUS.has(status)) return { state: 'failed', status, note };
  const header = response.headers['retry-after'];
  return { state: 'later', status, note, ...(header ? { afterMs: parseRetryAfter(header, ctx.now()) } : {}) };
}

/** Resolves the host. All of its addresses must be public: a single private one suggests an attack. */
async function checkedAddresses({ config, resolve }: WebhooksContext, host: string): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (addresses.length === 0) throw new Error(`Unknown host ${host}`);
  const isAllowed = (address: string) => isPublic(address) || (config.WEBHOOK_ALLOW_LOOPBACK && isLoopback(address));
  if (!addresses.every(isAllowed)) throw new RefusedAddressError('The URL resolves to a private network');
  return addresses;
}

/** Connects to the verified addresses without resolving the name again. */
function send({ url, body, headers, signal }: WebhookRequest, addresses: readonly string[]): Promise<IncomingMessage> {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = known;
    if (options.all) done(null, known);
    else done(null, first?.address ?? '', first?.family);
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const host = hostName(url);
  const call: ClientRequest = (url.protocol === 'https:' ? https : http)({
    method: 'POST',
    host,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
    agent: false,
    lookup,
    signal,
    maxHeaderSize: MAX_BYTES * 4,
  });
  call.once('error', reject);
  call.once('response', (response) => {
    // Later errors of the body do not fail the call.
    call.on('error', () => undefined);
    response.on('error', () => undefined);
    resolve(response);
  });
  call.end(body);
  return promise;
}

/** The start of a text response, on one line. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_BYTES) break;
    }
  } catch {
    // The status has been read, and that is what counts.
  }
  response.destroy();
  if (!/^(text\/plain|application\/(\w+\+)?json)/.test(response.headers['content-type'] ?? '')) return '';
  return oneLine(Buffer.concat(parts).subarray(0, MAX_BYTES).toString('utf8'), MAX_EXCERPT_LENGTH);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'The host refused the connection',
  ECONNRESET: 'The host closed the connection',
  EHOSTUNREACH: 'The host is unreachable',
  ENETUNREACH: 'The host is unreachable',
  ETIMEOUT: 'DNS lookup failed',
  ESERVFAIL: 'DNS lookup failed',
  EREFUSED: 'DNS lookup failed',
};

function failureText(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  if (words) return words;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return `The host’s TLS certificate was rejected (${code})`;
  return code ? `The call failed (${code})` : oneLine(message, MAX_EXCERPT_LENGTH);
}
