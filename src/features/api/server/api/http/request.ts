import type { FastifyRequest } from 'fastify';

import { AppError } from '#kernel/errors.ts';
import { assertStorable, parseOrReject } from '#kernel/route.ts';

import type { ApiCall } from '../call.ts';

export type ResponseFormat = 'json' | 'csv';

class NotAcceptable extends AppError {
  override get status(): number {
    return 406;
  }
}

/** Quality of a type, 0 to 1: an exact match takes precedence over `text/*`, and that over any. */
function preference(accept: string, type: string): number {
  const [kind] = type.split('/');
  const found = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map((text) => text.trim());
    const quality = params.find((param) => param.startsWith('q='));
    found.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  return found.get(type) ?? found.get(`${kind}/*`) ?? found.get('*/*') ?? 0;
}

/** `format` takes precedence over the Accept header. @throws AppError 406 for an unsupported format */
export function negotiateFormat(accept: string | undefined, format: unknown, hasCsv: boolean): ResponseFormat {
  const refusal = () =>
    new NotAcceptable('bad_request', `This endpoint returns application/json${hasCsv ? ' or text/csv' : ''}`);
  if (format === 'csv' && !hasCsv) throw refusal();
  if (format === 'json' || format === 'csv') return format;
  if (accept === undefined || accept.trim() === '') return 'json';
  const json = preference(accept, 'application/json');
  const csv = hasCsv ? preference(accept, 'text/csv') : 0;
  if (json === 0 && csv === 0) throw refusal();
  return csv > json ? 'csv' : 'json';
}

/** On every public API response with its own body. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
} as const;

/** Responses to a key are never cached by intermediaries. */
export const HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'accept, accept-encoding, authorization, x-api-key',
  ...CORS,
} as const;

/** What browsers may send from any origin: keys are headers, there are no cookies. */
export const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, X-API-Key',
  'access-control-max-age': '86400',
} as const;

export type ApiInput = { params: unknown; query: Record<string, unknown>; body: unknown };

/** Input of a call. @throws AppError 400, also for an unknown parameter */
export function apiInput(
  { endpoint }: Pick<ApiCall, 'endpoint'>,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body'>,
): ApiInput {
  const { params, body } = request;
  const query = request.query as Record<string, unknown>;
  const known = endpoint.query?.shape ?? {};
  for (const name of Object.keys(query))
    if (!Object.hasOwn(known, name)) throw new AppError('bad_request', `Unknown parameter "${name.slice(0, 100)}"`);
  assertStorable(request);
  return {
    params: parseOrReject(endpoint.params, params),
    query: (parseOrReject(endpoint.query, query) ?? {}) as Record<string, unknown>,
    body: parseOrReject(endpoint.body, body),
  };
}
