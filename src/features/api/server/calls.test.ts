import { afterAll, beforeAll, expect, test } from 'vitest';

import { apiKey } from '#tests/support/api-keys.ts';
import { person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let key: string;
beforeAll(async () => {
  s = await start();
  for (const name of ['market.listing', 'metrics.listing', 'metrics.slow']) await s.job(name);
  const ann = await person(s, 'ann', 'premium');
  key = await apiKey(s, ann.id);
});
afterAll(() => s.stop());

const read = (path: string, headers: Record<string, string> = {}) =>
  s.get(`/api/v1${path}`, { 'x-api-key': key, ...headers });

test.each([
  '/market-data',
  '/crypto-prices',
  '/crypto-prices/bitcoin',
  '/candles?symbol=BTC',
  '/sources',
  '/analysis',
  '/predictions',
  '/track-record',
  '/track-record/calls',
  '/events',
  '/inflation',
  '/inflation/releases',
  '/inflation/forecasts',
  '/inflation/expectations',
  '/inflation/sentiment',
  '/alerts',
  '/thresholds',
  '/history/CRYPTO_PRICE',
  '/analytics/summary',
  '/analytics/risk',
  '/analytics/correlation',
  '/account',
])('200: %s answers, and the same with a tag', async (path) => {
  const first = await read(path);
  expect([first.statusCode, first.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
  const again = await read(path, { 'if-none-match': String(first.headers.etag) });
  expect(again.statusCode).toBe(304);
});

test('fields', async () => {
  const r = await read('/crypto-prices?fields=prices.symbol,prices.price&limit=2');
  console.log(r.body, r.headers);
  const c = await read('/crypto-prices?fields=prices.symbol,prices.price&limit=2&format=csv');
  console.log(c.body, c.headers);
  for (const q of [
    'fields=nope',
    'fields=__proto__',
    'fields=prices.constructor',
    'x=1',
    'limit=0',
    'limit=1&limit=2',
    'cursor=zzz',
    'asOf=x',
    'asOf=2026-11-20T11:59:00Z',
  ]) {
    const u = await read('/crypto-prices?' + q);
    console.log(q, u.statusCode, u.body.slice(0, 150));
  }
});
