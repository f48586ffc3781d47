import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { matches } from '#kernel/read-model.ts';
import { BY_CALLER, type CacheRule, publicHeaders, type TagHeader } from '#kernel/shared-cache.ts';
import { LISTED_PAGES } from './pages/page-names.ts';

type Times = Omit<CacheRule, 'tags'>;

/** Changes with every tick: up to the interval of the buffers, five seconds in total. */
const LIVE: Times = { seconds: 2, whileRevalidating: 3, onError: 60 };
/** Updated by collections, every minute or slower. */
const COLLECTED: Times = { seconds: 10, whileRevalidating: 20, onError: 300 };
/** Published daily, or computed from days. */
const SLOW: Times = { seconds: 60, whileRevalidating: 240, onError: 3600 };
const STATUS: Times = { seconds: 10, whileRevalidating: 10, onError: 600 };

const of = (times: Times, ...tags: string[]): CacheRule => ({ ...times, tags });

/** Public reads that are the same for every caller without a token, by route. */
export const SHARED: Readonly<Record<string, CacheRule>> = {
  '/': of(COLLECTED, 'pages', 'prices', 'record'),
  '/about': of(COLLECTED, 'pages', 'sources', 'status'),
  '/app': of(COLLECTED, 'pages', 'prices'),
  '/status': of(STATUS, 'pages', 'status'),
  '/status.atom': of(STATUS, 'status'),
  '/robots.txt': of(SLOW, 'site'),
  '/sitemap.xml': of(SLOW, 'site'),
  '/api/dashboard': of(LIVE, 'dashboard', 'prices', 'metrics', 'narratives', 'events', 'analysis', 'record'),
  '/api/brief': of(COLLECTED, 'prices', 'metrics', 'analysis', 'record', 'inflation', 'events'),
  '/api/changes': of(COLLECTED, 'prices', 'analysis', 'inflation', 'events', 'sources'),
  '/api/prices': of(LIVE, 'prices'),
  '/api/prices/sparklines': of(COLLECTED, 'sparklines'),
  '/api/coins/:id': of(LIVE, 'prices'),
  '/api/coins/:id/candles': of(COLLECTED, 'candles'),
  '/api/coins/:id/ranges': of(COLLECTED, 'record'),
  '/api/candles': of(COLLECTED, 'candles'),
  '/api/advanced-metrics': of(COLLECTED, 'metrics'),
  '/api/market-sentiment': of(COLLECTED, 'metrics'),
  '/api/derivatives': of(COLLECTED, 'metrics'),
  '/api/onchain': of(COLLECTED, 'metrics'),
  '/api/metrics/:metric/history': of(COLLECTED, 'metrics', 'history'),
  '/api/figures/:metric': of(COLLECTED, 'prices', 'metrics', 'inflation', 'history'),
  '/api/layer1-data': of(COLLECTED, 'metrics'),
  '/api/trending-narratives': of(COLLECTED, 'narratives'),
  '/api/history/:type': of(COLLECTED, 'history'),
  '/api/sources': of(COLLECTED, 'sources'),
  '/api/predictions': of(COLLECTED, 'analysis'),
  '/api/backtest': of(COLLECTED, 'record'),
  '/api/track-record/calls': of(COLLECTED, 'record'),
  '/api/league': of(COLLECTED, 'record'),
  '/api/league/:name': of(COLLECTED, 'record'),
  '/api/track-record/replay': of(SLOW, 'record'),
  '/api/track-record/ranges': of(SLOW, 'record'),
  '/api/ledger': of(COLLECTED, 'record'),
  '/api/events': of(COLLECTED, 'events'),
  '/api/events/study': of(SLOW, 'events'),
  '/api/inflation/latest': of(COLLECTED, 'inflation'),
  '/api/inflation/releases': of(COLLECTED, 'inflation'),
  '/api/inflation/forecasts': of(COLLECTED, 'inflation'),
  '/api/inflation/expectations': of(COLLECTED, 'inflation'),
  '/api/inflation/sentiment': of(COLLECTED, 'inflation'),
  '/api/inflation/at': of(SLOW, 'inflation'),
  '/api/about': of(COLLECTED, 'sources', 'status'),
  '/api/status': of(STATUS, 'status'),
  '/api/notifications/latency': of(SLOW, 'status'),
  '/api/subscription/pricing': of(SLOW, 'pricing'),
  '/api/openapi.json': of(SLOW, 'documents'),
};

/** The remaining public GET routes, and why they are not cached. */
export const PRIVATE_PATHS: Readonly<Record<string, string>> = {
  '/api/health': 'reports the current state of one process',
  '/api/health/live': 'reports the current state of one process',
  '/api/health/ready': 'reports the current state of one process',
  '/api/stream': 'never ends',
  '/api/auth/options': 'reflects settings that take effect immediately',
  '/api/contact/challenge': 'differs per caller',
  '/api/events.ics': 'is streamed',
  '/api/events/:file': 'is streamed',
  '/api/ledger/verify': 'is recomputed at most once a minute',
  '/api/ledger/export': 'is streamed',
  '/api/track-record/replay/candles': 'is a rarely used download',
};

/** Public pages of the app have the rule of `/app`. */
const findCacheRule = (path: string): CacheRule | undefined =>
  SHARED[path] ?? (Object.hasOwn(LISTED_PAGES, path) ? SHARED['/app'] : undefined);

/** Headers of the prepared response of an address. */
export const sharedHeaders = (path: string, tagHeader: TagHeader): Record<string, string> => {
  const rule = findCacheRule(path);
  if (!rule) throw new Error(`No cache rule for ${path}`);
  return { ...publicHeaders(rule, tagHeader), ...(path.startsWith('/api/') ? BY_CALLER : {}) };
};

/** Public responses generated per request: tagged, and stored by shared caches only for callers without a token. */
export function cacheResponses(app: FastifyInstance, tagHeader: TagHeader): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const path = request.routeOptions.url ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !findCacheRule(path) || reply.hasHeader('cache-control')) return done(null, payload);
    reply.headers(BY_CALLER);
    // On any route: responses to a token are individual, and errors are temporary.
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
