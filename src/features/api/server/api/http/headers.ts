/** On every answer of the public API that has a body of its own. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
} as const;

/** Responses to a key are never cached in between. */
export const HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'accept, accept-encoding, authorization, x-api-key',
  ...CORS,
} as const;

/** What a browser may send from anywhere: keys are headers, there are no cookies. */
export const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': 'Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID, X-API-Key',
  'access-control-max-age': '86400',
} as const;
