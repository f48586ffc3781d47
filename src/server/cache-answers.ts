import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { SHARED } from './cache-rules.ts';
import { LISTED_PAGES } from './pages/page-names.ts';
import { matches } from './platform/read-model.ts';
import { BY_CALLER, type CacheRule, publicHeaders, type TagHeader } from './platform/shared-cache.ts';

/** What the app's public pages show is what `/app` shows. */
const ruleOf = (path: string): CacheRule | undefined =>
  SHARED[path] ?? (Object.hasOwn(LISTED_PAGES, path) ? SHARED['/app'] : undefined);

/** Headers of what is prepared for an address. */
export const sharedHeaders = (path: string, tagHeader: TagHeader): Record<string, string> => {
  const rule = ruleOf(path);
  if (!rule) throw new Error(`There is no rule for ${path}`);
  return { ...publicHeaders(rule, tagHeader), ...(path.startsWith('/api/') ? BY_CALLER : {}) };
};

/** Public answers that are made for each request: tagged, and kept in between only for who brings no token. */
export function cacheAnswers(app: FastifyInstance, tagHeader: TagHeader): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const path = request.routeOptions.url ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !ruleOf(path) || reply.hasHeader('cache-control')) return done(null, payload);
    reply.headers(BY_CALLER);
    // Whatever the route: a token makes the answer somebody's, a refusal is of this moment.
    if (request.headers.authorization !== undefined || reply.statusCode !== 200) return done(null, payload);
    reply.headers(sharedHeaders(path, tagHeader));
    if (typeof payload !== 'string') return done(null, payload);
    const etag = `"${createHash('sha1').update(payload).digest('base64url')}"`;
    reply.header('etag', etag);
    if (!matches(request.headers['if-none-match'], etag)) return done(null, payload);
    reply.code(304).removeHeader('content-length');
    return done(null, null);
  });
}
