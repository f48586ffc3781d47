import { beforeAll, describe, expect, test } from 'vitest';

import { getLayer1Data } from '#features/market/contract/layer1.ts';
import { listPrices, listSparklines } from '#features/market/contract/market.ts';
import {
  getAdvancedMetrics,
  getDerivatives,
  getMarketSentiment,
  getOnchain,
} from '#features/market/contract/metrics.ts';
import { getTrendingNarratives } from '#features/market/contract/narratives.ts';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { getAbout } from '#features/site/contract/legal.ts';
import type { Endpoint } from '#shared/contract.ts';
import { contractRows } from '#tests/support/access.ts';
import { KEYED_READ, makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { publishQuotes } from '#tests/support/own-rules.ts';
import { type CachedResponse, sharedCache } from '#tests/support/shared-cache.ts';
import { NOON } from '#tests/support/start.ts';

import { PRIVATE_PATHS, SHARED } from './cache-answers.ts';
import { LISTED_PAGES } from './pages/page-names.ts';

/** Request paths of routes with parameters or a required query. */
const ASKED: Record<string, string> = {
  '/api/coins/:id': '/api/coins/bitcoin',
  '/api/coins/:id/ranges': '/api/coins/bitcoin/ranges',
  '/api/coins/:id/candles': '/api/coins/bitcoin/candles?range=7d',
  '/api/candles': '/api/candles?symbol=BTC&interval=60',
  '/api/metrics/:metric/history': '/api/metrics/fear_greed/history?days=30',
  '/api/figures/:metric': '/api/figures/fear_greed',
  '/api/history/:type': '/api/history/TOTAL_MARKET_CAP',
  '/api/events/study': '/api/events/study?kind=cpi',
  '/api/league/:name': '/api/league/premium-forecasts',
  '/api/inflation/at': '/api/inflation/at?asOf=2026-11-19T12:00:00Z',
};
/** No data here for these routes, or an endless response. */
const NOT_ASKED = new Set(['/api/stream', '/api/events/:file']);

const endpoints = (await contractRows()).map(({ endpoint }) => endpoint);
const s = fileProduct({ env: { COIN_LIMIT: '40' } });
const premium = member(s, 'premium', 'premium');

beforeAll(async () => {
  for (const job of ['market.listing', 'metrics.slow', 'metrics.listing']) await s.job(job);
  await s.product.auth.ctx.db
    .insertInto('league_forecasters')
    .values({ user_id: premium.id, name: 'premium-forecasts', joined_at: s.clock.now().toISOString() })
    .execute();
}, 120_000);

const shared = Object.entries(SHARED);
const signedIn = () => ({ authorization: `Bearer ${premium.token}` });

describe('what a shared cache may store', () => {
  test('every public read has a rule or a reason for having none', () => {
    const isPublicRead = ({ method, access, path }: Endpoint) =>
      method === 'GET' && access === 'public' && !path.startsWith('/api/v1/');
    const paths = endpoints.filter(isPublicRead).map(({ path }): string => path);
    expect(paths.length).toBeGreaterThan(35);
    expect(paths.filter((path) => !SHARED[path] && !PRIVATE_PATHS[path])).toEqual([]);
    const known = new Set([
      ...paths,
      ...Object.keys(LISTED_PAGES),
      '/api/stream',
      '/status.atom',
      '/robots.txt',
      '/sitemap.xml',
    ]);
    expect([...Object.keys(SHARED), ...Object.keys(PRIVATE_PATHS)].filter((path) => !known.has(path))).toEqual([]);
  });

  test.each(shared)(
    '%s: sets lifetimes, tags and a strong ETag with 304, and stores nothing for token requests',
    async (path, { seconds, whileRevalidating, onError, tags }) => {
      const url = ASKED[path] ?? path;
      const { statusCode, headers, body } = await s.get(url);
      expect([statusCode, body.slice(0, 100)]).toEqual([200, expect.anything()]);
      expect(headers).toMatchObject({
        'cache-control': `public, max-age=0, s-maxage=${seconds}, stale-if-error=${onError}`,
        'cdn-cache-control': `public, max-age=${seconds}, stale-while-revalidate=${whileRevalidating}, stale-if-error=${onError}`,
        'surrogate-key': tags.join(' '),
        etag: expect.stringMatching(/^"[\w-]+"$/),
        vary: expect.stringContaining('accept-encoding'),
      });
      const again = await s.get(url, { 'if-none-match': String(headers['etag']) });
      expect([again.statusCode, again.body, again.headers['etag'], again.headers['cache-control']]).toEqual([
        304,
        '',
        headers['etag'],
        headers['cache-control'],
      ]);
      if (!path.startsWith('/api/')) return;
      expect(headers['vary']).toContain('authorization');
      for (const authorization of [signedIn().authorization, 'Bearer nobody']) {
        const own = await s.get(url, { authorization });
        expect(own.headers['cache-control'], authorization).toMatch(/^(private, no-cache|no-store)$/);
        expect(own.headers['cdn-cache-control'] ?? 'no-store').toBe('no-store');
        expect(own.headers['vary']).toContain('authorization');
      }
    },
  );

  test('stores nothing else: reads without a rule, plan-gated reads, refusals and keys', async () => {
    const reads = endpoints.filter(({ method, path }) => method === 'GET' && !SHARED[path] && !NOT_ASKED.has(path));
    expect(reads.length).toBeGreaterThan(60);
    for (const { path } of reads) {
      const url = path.replaceAll(/:\w+/g, '1');
      for (const headers of [{}, signedIn()]) {
        const answer = await s.get(url, headers);
        expect(answer.headers['cache-control'], url).toMatch(/^(no-store|private)/);
        expect(answer.headers['cdn-cache-control'] ?? 'no-store', url).toBe('no-store');
      }
    }
    expect((await s.get('/api/coins/nothing')).headers['cache-control']).toBe('no-store');
    const { api_key: key } = await makeKey(premium);
    const byKey = await s.get(KEYED_READ, { 'x-api-key': key });
    expect(byKey.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('x-api-key'),
    });
  });

  test('caches public app pages and never those of an account', async () => {
    expect((await s.get('/app/history')).headers).toMatchObject({
      'surrogate-key': 'pages prices',
      etag: expect.any(String),
    });
    for (const path of ['/app/profile', '/app/admin', '/unsubscribe?token=x', '/nothing'])
      expect((await s.get(path)).headers['cache-control'], path).toMatch(/^no-(store|cache)$/);
  });
});

describe('with a cache in front', () => {
  let seconds = 0;
  let isDown = false;
  const cache = () =>
    sharedCache(
      async (url, headers): Promise<CachedResponse> => {
        if (isDown) throw new Error('The origin is down');
        const { statusCode, headers: given, body } = await s.get(url, headers);
        return { status: statusCode, headers: given as CachedResponse['headers'], body };
      },
      () => seconds,
    );

  test('never serves one caller’s response to another, in any order', async () => {
    const personal = ['/api/dashboard', '/api/history/TOTAL_MARKET_CAP', '/api/candles?symbol=BTC&interval=60'];
    for (const first of [{}, signedIn()]) {
      const front = cache();
      for (const url of personal) {
        await front.get(url, first);
        const anonymous = await front.get(url);
        const own = await front.get(url, signedIn());
        const plan = (body: string) =>
          url === '/api/dashboard'
            ? /"subscriptionStatus":(null|\{)/.exec(body)?.[1]
            : /"limitedToDays":(null|\d+)/.exec(body)?.[1];
        expect([plan(anonymous.body), plan(own.body)], url).toEqual(
          url === '/api/dashboard' ? ['null', '{'] : ['30', 'null'],
        );
        expect([own.isKept, (await front.get(url)).isKept], url).toEqual([false, true]);
      }
    }
  });

  test('a price is at most five seconds behind the origin, as stated, unless the origin is down', async () => {
    const front = cache();
    const priceIn = (body: string) => /"id":"bitcoin".*?"price":([\d.]+)/.exec(body)?.[1];
    for (const step of [1, 2, 3, 4, 6, 1, 1, 9]) {
      const before = priceIn((await s.get('/api/prices')).body);
      await publishQuotes(s, { bitcoin: 90_000 + seconds });
      await expect.poll(() => s.product.market.priceOfSymbol('BTC')).toBe(90_000 + seconds);
      await s.product.rebuild();
      expect(priceIn((await s.get('/api/prices')).body)).not.toBe(before);
      seconds += step;
      const { age, body } = await front.get('/api/prices');
      expect(age).toBeLessThanOrEqual(5);
      expect(body).toContain('"observedAt"');
      if (age === 0) expect(priceIn(body)).toBe(priceIn((await s.get('/api/prices')).body));
    }
    isDown = true;
    seconds += 50;
    expect(await front.get('/api/prices')).toMatchObject({ status: 200, isKept: true });
    seconds += 20;
    expect(await front.get('/api/prices')).toMatchObject({ status: 504 });
    isDown = false;
  });
});

test('tags use the header name the CDN reads, or are omitted', async () => {
  const cloud = await s.another({ CDN_TAGS: 'cache-tag' });
  const named = await cloud.app.inject({ url: '/api/inflation/releases' });
  expect([named.headers['cache-tag'], named.headers['surrogate-key']]).toEqual(['inflation', undefined]);
  expect((await cloud.app.inject({ url: '/api/dashboard' })).headers['cache-tag']).toMatch(/^dashboard,prices,/);
  const none = await s.another({ CDN_TAGS: 'none' });
  const silent = await none.app.inject({ url: '/api/inflation/releases' });
  expect([silent.headers['cache-tag'], silent.headers['surrogate-key']]).toEqual([undefined, undefined]);
});

const HOUR_MS = 3_600_000;
const PUBLIC = [
  getDashboard,
  listPrices,
  listSparklines,
  getAdvancedMetrics,
  getMarketSentiment,
  getDerivatives,
  getOnchain,
  getLayer1Data,
  getTrendingNarratives,
  getAbout,
];

describe('responses assembled from parts', () => {
  test.each(PUBLIC)('$path matches its contract’s output byte for byte', async ({ path, reply }) => {
    const { statusCode, body } = await s.get(path);
    expect(statusCode).toBe(200);
    expect(body).toBe(JSON.stringify(reply.parse(JSON.parse(body))));
  });

  test('every payload of a rebuild has the same time and prices', async () => {
    s.advance(60_000);
    await s.product.rebuild();
    const [dashboard, list] = [(await s.get('/api/dashboard')).json(), (await s.get('/api/prices')).json()];
    expect(dashboard.timestamp).toBe(list.timestamp);
    expect(list.prices).toEqual(dashboard.cryptoPrices);
  });

  test('the next collection remains listed until it arrives, then the following one', async () => {
    const next = async () => {
      await s.product.rebuild();
      return (await s.get('/api/dashboard')).json().nextCollectionTime;
    };
    s.clock.set(NOON);
    expect(await next()).toBe('2026-11-20T13:00:00.000Z');
    s.advance(HOUR_MS / 2);
    expect(await next()).toBe('2026-11-20T13:00:00.000Z');
    s.advance(HOUR_MS / 2);
    expect(await next()).toBe('2026-11-20T14:00:00.000Z');
    s.advance(-2 * HOUR_MS);
    expect(await next()).toBe('2026-11-20T12:00:00.000Z');
  });
});
