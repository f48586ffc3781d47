import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';

import { errorMessage } from '../errors.ts';
import { inSpan } from '../tracing.ts';
import { fetchOverSocket } from './fetch-over-socket.ts';
import { createCircuitBreaker, createTokenBucket, type MonthlyBudget, type MonthlyQuota } from './resilience.ts';
import { type FailureKind, REGION_RETRY_MS, SourceError } from './source-error.ts';

const MAX_BODY_BYTES = 32 << 20;
const MAX_CACHED_RESPONSES = 16;
const DEFAULT_PAUSE_MS = 60_000;
const MIN_PAUSE_MS = 5_000;

/** 'rate_limited', or the provider's own wording. */
export type ProviderError = string;

export type SourceOptions = {
  /** Display name: 'CoinGecko'. */
  name: string;
  /** With ws:// or wss://, requests are sent over short-lived websockets. */
  baseUrl: string;
  headers?: Record<string, string>;
  /** Sent with every call, for providers that take the key in the URL. */
  query?: Record<string, string>;
  /** Maximum response size. */
  maxBytes?: number;
  perMinute: number;
  burst: number;
  perMonth?: MonthlyQuota | null;
  budget?: MonthlyBudget | undefined;
  timeoutMs?: number;
  retries?: number;
  /** Approximate delay before the first retry; doubles with each further one. */
  retryMs?: number;
  /** The host blocks whole countries with 403; 451 always means that. */
  blocksRegions?: boolean;
  /** Recognizes the provider's own error in a body, whatever the status. */
  parseError?: (body: unknown) => ProviderError | null;
  /** `ms`: response time, including retries and waiting for our own rate limit. */
  onSuccess?: (ms: number) => void;
  onFailure?: (error: SourceError) => void;
  /** Receives every body before validation, to record and check live responses. */
  onBody?: (call: { path: string; body: unknown }) => void;
};

/** These do not indicate a problem of the source. */
const NEUTRAL: ReadonlySet<FailureKind> = new Set(['cancelled', 'resting', 'spent', 'absent']);

const OPENS_IMMEDIATELY: ReadonlySet<FailureKind> = new Set(['rate_limited', 'refused_region']);

export type SourceClient = {
  name: string;
  /** GETs JSON and validates it; throws SourceError. Unchanged responses (304) come from memory. */
  get: <S extends z.ZodType>(path: string, schema: S, options?: GetOptions) => Promise<SourceResponse<z.output<S>>>;
  /** POSTs JSON; only for queries that are safe to repeat. */
  post: <S extends z.ZodType>(
    path: string,
    body: unknown,
    schema: S,
    options?: PostOptions,
  ) => Promise<SourceResponse<z.output<S>>>;
};
export type GetOptions = {
  query?: Record<string, string | number | boolean>;
  /** 'text' passes the body to the schema unparsed. */
  format?: 'json' | 'text';
  /** 404 means that the source does not have this item: kind 'absent', which is no failure of the source. */
  allowNotFound?: boolean;
  /** May be skipped until next month when the monthly quota is nearly used up. */
  isDeferrable?: boolean;
  signal?: AbortSignal | undefined;
};
export type PostOptions = GetOptions & {
  /** Every response costs money: retried only when there was none, never after a late or broken one. */
  isBillable?: boolean;
  /** A body that is a valid response whatever its status, such as "this model has no such format". */
  isValidResponse?: (status: number, body: unknown) => boolean;
};
type SourceRequest = Pick<
  PostOptions,
  'signal' | 'isDeferrable' | 'isBillable' | 'isValidResponse' | 'allowNotFound'
> & {
  url: string;
  body?: string;
  format: 'json' | 'text';
};
export type SourceResponse<T> = { data: T; fetchedAt: Date };

type Validators = { etag?: string; lastModified?: string };
type CachedResponse = Validators & { body: unknown };

/** One client per source: timeout, retry with jitter, token bucket, circuit breaker, conditional requests, validated bodies. */
export function createSourceClient(options: SourceOptions, now: () => Date): SourceClient {
  const { name, baseUrl, headers = {}, timeoutMs = 10_000, retries = 2, retryMs = 200 } = options;
  const { maxBytes = MAX_BODY_BYTES, parseError, blocksRegions = false } = options;
  const call = /^wss?:/.test(baseUrl) ? fetchOverSocket : fetch;
  const bucket = createTokenBucket(options.perMinute, options.burst);
  const breaker = createCircuitBreaker(() => performance.now());
  const cache = new Map<string, CachedResponse>();

  async function send(request: SourceRequest): Promise<unknown> {
    const { url, body, format, signal } = request;
    const known = body === undefined ? cache.get(url) : undefined;
    const limit = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await call(url, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: {
          accept: format === 'text' ? '*/*' : 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          'user-agent': 'Meridian/1.0',
          ...headers,
          ...(known?.etag ? { 'if-none-match': known.etag } : {}),
          ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
        },
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      });
      if (response.status === 304 && known) {
        await response.body?.cancel();
        return known.body;
      }
      text = await readText(response, name, maxBytes);
    } catch (error) {
      if (error instanceof SourceError) throw error;
      if (signal?.aborted) throw new SourceError('cancelled', `${name}: the call was canceled`);
      if (limit.aborted) throw new SourceError('timeout', `${name} did not respond within ${timeoutMs / 1000} s`);
      const cause = error instanceof Error && error.cause ? `: ${errorMessage(error.cause)}` : '';
      throw new SourceError('network', `${name} is unreachable${cause}`, undefined, { cause: error });
    }
    if (request.allowNotFound && response.status === 404)
      throw new SourceError('absent', `${name} returned 404 for ${new URL(url).pathname}`);
    return parseResponse(request, response, text);
  }

  function parseResponse(
    { url, body: asked, format, isValidResponse }: SourceRequest,
    response: Response,
    text: string,
  ): unknown {
    if (response.status === 429 || response.status === 418)
      throw rateLimited(name, response.headers.get('retry-after'), now());
    if (response.status === 451 || (blocksRegions && response.status === 403)) {
      // Bybit also sends 403 for too many calls, and says so in the body.
      if (/too frequent/i.test(text)) throw rateLimited(name, response.headers.get('retry-after'), now());
      throw new SourceError('refused_region', `${name} blocks this region (${response.status})`, REGION_RETRY_MS);
    }
    let body: unknown = text;
    try {
      if (format === 'json') body = JSON.parse(text);
    } catch (cause) {
      if (!response.ok) throw new SourceError('status', `${name} returned ${response.status}`);
      throw new SourceError('body', `${name} sent invalid JSON`, undefined, { cause });
    }
    if (!response.ok && isValidResponse?.(response.status, body)) return body;
    const refused = parseError?.(body);
    if (refused === 'rate_limited') throw rateLimited(name, response.headers.get('retry-after'), now());
    if (!response.ok)
      throw new SourceError('status', `${name} returned ${response.status}${refused ? `: ${refused}` : ''}`);
    if (refused) throw new SourceError('body', `${name} refused: ${refused}`);
    if (asked === undefined) cacheResponse(url, response, body);
    options.onBody?.({ path: url.slice(baseUrl.length), body });
    return body;
  }

  function cacheResponse(url: string, response: Response, body: unknown): void {
    const etag = response.headers.get('etag');
    const lastModified = response.headers.get('last-modified');
    cache.delete(url);
    if (!etag && !lastModified) return;
    cache.set(url, { body, ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) });
    if (cache.size > MAX_CACHED_RESPONSES) cache.delete(cache.keys().next().value as string);
  }

  async function requestWithRetries<S extends z.ZodType>(
    request: SourceRequest,
    schema: S,
  ): Promise<SourceResponse<z.output<S>>> {
    const { url, signal, isDeferrable = false } = request;
    for (let attempts = 0; ; attempts++) {
      try {
        await options.budget?.take(isDeferrable);
        await bucket.take(signal);
        const method = request.body === undefined ? 'GET' : 'POST';
        const attributes = { 'http.request.method': method, 'peer.service': name };
        const parsed = schema.safeParse(await inSpan(`${method} ${name}`, 'client', attributes, () => send(request)));
        if (parsed.success) return { data: parsed.data, fetchedAt: now() };
        cache.delete(url);
        const issue = parsed.error.issues[0];
        throw new SourceError(
          'body',
          `${name} sent an unexpected format at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
        );
      } catch (error) {
        const failure = error instanceof SourceError ? error : new SourceError('cancelled', errorMessage(error));
        if (attempts >= retries || !isTransient(failure, request.isBillable)) throw failure;
        await sleep(retryMs * 2 ** attempts * (0.5 + Math.random()), undefined, signal ? { signal } : {});
      }
    }
  }

  async function execute<S extends z.ZodType>(request: SourceRequest, schema: S): Promise<SourceResponse<z.output<S>>> {
    const restMs = breaker.restMs();
    if (restMs > 0) {
      throw new SourceError(
        'resting',
        `${name} is paused after failures, next attempt in ${Math.ceil(restMs / 1000)} s`,
        restMs,
      );
    }
    const startedAt = performance.now();
    breaker.begin();
    try {
      const answer = await requestWithRetries(request, schema);
      breaker.success();
      options.onSuccess?.(performance.now() - startedAt);
      return answer;
    } catch (error) {
      const failure = error instanceof SourceError ? error : new SourceError('cancelled', errorMessage(error));
      if (NEUTRAL.has(failure.kind)) breaker.cancel();
      else breaker.failure(OPENS_IMMEDIATELY.has(failure.kind) ? failure.retryAfterMs : undefined);
      if (failure.kind !== 'cancelled' && failure.kind !== 'absent') options.onFailure?.(failure);
      throw failure;
    }
  }

  function buildUrl(path: string, query: GetOptions['query']): string {
    const all = { ...query, ...options.query };
    if (Object.keys(all).length === 0) return baseUrl + path;
    const pairs = Object.entries(all).map(([key, value]): [string, string] => [key, String(value)]);
    return `${baseUrl}${path}?${new URLSearchParams(pairs).toString()}`;
  }

  return {
    name,
    get: (path, schema, { query, format = 'json', ...how } = {}) =>
      execute({ url: buildUrl(path, query), format, ...how }, schema),
    post: (path, body, schema, { query, format = 'json', ...how } = {}) =>
      execute({ url: buildUrl(path, query), body: JSON.stringify(body), format, ...how }, schema),
  };
}

function isTransient({ kind, message }: SourceError, isBillable = false): boolean {
  if (kind === 'timeout' || kind === 'body') return !isBillable;
  return kind === 'network' || (kind === 'status' && / returned 5\d\d/.test(message));
}

/** Throws SourceError when it is longer. */
export async function readText(response: Response, name: string, maxBytes: number): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new SourceError('body', `${name} sent more than ${maxBytes >> 20} MB`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    bytes += part.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxBytes) throw new SourceError('body', `${name} sent more than ${maxBytes >> 20} MB`);
  }
  return new TextDecoder().decode(Buffer.concat(parts, bytes));
}

/** Retry-After may be seconds, a date, 0 or absent: 0 and invalid values still get a short pause. */
export function parseRetryAfter(header: string | null, now: Date): number {
  if (header === null || header.trim() === '') return DEFAULT_PAUSE_MS;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now.getTime();
  if (Number.isNaN(ms)) return DEFAULT_PAUSE_MS;
  return Math.min(3_600_000, Math.max(MIN_PAUSE_MS, ms));
}

function rateLimited(name: string, retryAfter: string | null, now: Date): SourceError {
  const restMs = parseRetryAfter(retryAfter, now);
  return new SourceError('rate_limited', `${name} is rate-limiting us`, restMs);
}
