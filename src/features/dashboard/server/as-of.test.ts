import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { CryptoPrice } from '#features/market/contract.ts';

import { type Started, start } from '#tests/support/start.ts';
import { type Dashboard, dashboard } from '../contract.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let s: Started;
const earlier = (at: Date | string) =>
  s.get(`/api/dashboard?asOf=${encodeURIComponent(typeof at === 'string' ? at : at.toISOString())}`);
const showing = async (at: Date) => dashboard.parse((await earlier(at)).json());
const current = async () => dashboard.parse((await s.get('/api/dashboard')).json());

/** Seven-day change and the day's range are not observed, so they cannot be rebuilt. */
const rebuildable = (prices: CryptoPrice[]) =>
  prices.map((coin) => ({ ...coin, change_7d: null, low_24h: null, high_24h: null }));

async function collect(): Promise<void> {
  for (const name of ['market.listing', 'metrics.listing', 'metrics.slow']) await s.job(name);
}

describe('GET /api/dashboard?asOf', () => {
  let then: Date;
  let before: Dashboard;

  beforeAll(async () => {
    s = await start();
  });
  afterAll(() => s.stop());

  test('404: nothing is stored before the first collection', async () => {
    const res = await earlier(new Date(s.clock.now().getTime() - HOUR_MS));
    expect([res.statusCode, res.json()]).toEqual([
      404,
      { error: 'Nothing is stored of that moment', code: 'not_found' },
    ]);
  });

  test('200: prices, totals, metrics, chains and narratives are those of that moment, with their true ages', async () => {
    await collect();
    then = s.clock.now();
    before = await current();
    s.advance(2 * HOUR_MS);
    await collect();
    const after = await current();
    expect(after.totals).not.toEqual(before.totals);
    const rebuilt = await showing(then);
    expect(rebuilt.cryptoPrices).toEqual(rebuildable(before.cryptoPrices));
    expect(rebuilt).toEqual({
      ...before,
      // The record is that of now: it is not rebuilt.
      backtestResults: undefined,
      cryptoPrices: rebuildable(before.cryptoPrices),
      sources: [],
      timestamp: then.toISOString(),
      asOf: then.toISOString(),
    });
    expect(rebuilt.trendingNarratives?.length).toBeGreaterThan(5);
    expect(after).not.toHaveProperty('asOf');
  });

  test('200: between two collections the earlier one stands, and it is as old as it was', async () => {
    const between = new Date(then.getTime() + 50 * 60_000);
    const { cryptoPrices, lastCollectionTime } = await showing(between);
    expect(cryptoPrices).toEqual(rebuildable(before.cryptoPrices));
    expect(lastCollectionTime).toBe(before.lastCollectionTime);
    for (const { meta } of cryptoPrices) expect(Date.parse(meta.observedAt)).toBeLessThanOrEqual(then.getTime());
  });

  test('200: a tick of a venue is that moment’s price, the list gives volume and the reference of the change', async () => {
    s.advance(60_000);
    await s.job('market.tickers');
    const ticked = await current();
    expect(ticked.cryptoPrices[0]?.meta.source).toBe('OKX');
    const at = s.clock.now();
    s.advance(HOUR_MS);
    await collect();
    const { cryptoPrices, totals } = await showing(at);
    expect(cryptoPrices).toEqual(rebuildable(ticked.cryptoPrices));
    expect(totals).toEqual(ticked.totals);
  });

  test('200: before the first collection the closed candles tell price and change; a volume is not made up', async () => {
    await s.job('market.backfill', { coinId: 'bitcoin' });
    const at = new Date(then.getTime() - 10 * DAY_MS + 25 * 60_000);
    const rebuilt = await showing(at);
    expect(rebuilt.cryptoPrices.map(({ id }) => id)).toEqual(['bitcoin']);
    const [coin] = rebuilt.cryptoPrices;
    const ended = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    expect(coin?.meta).toMatchObject({
      source: 'OKX',
      method: 'computed',
      observedAt: new Date(ended).toISOString(),
    });
    const price = s.sandbox.market.priceAt('bitcoin', ended);
    expect((coin?.price ?? 0) / price).toBeCloseTo(1, 2);
    const change = 100 * (price / s.sandbox.market.priceAt('bitcoin', ended - DAY_MS) - 1);
    expect(coin?.change_24h).toBeCloseTo(change, 0);
    expect(coin?.volume_24h).toBeNull();
    expect(coin?.market_cap).toBeGreaterThan(1e11);
    expect(coin?.listing.method).toBe('computed');
    expect(rebuilt).toMatchObject({ trendingNarratives: [], lastCollectionTime: null });
    expect(rebuilt.advancedMetrics?.totalMarketCap.value).toBeNull();
  });

  test('200: it is compressed and carries a tag like every payload', async () => {
    const url = `/api/dashboard?asOf=${then.toISOString()}`;
    const packed = await s.get(url, { 'accept-encoding': 'br' });
    expect(packed.headers['content-encoding']).toBe('br');
    const again = await s.get(url, { 'if-none-match': String(packed.headers['etag']) });
    expect(again.statusCode).toBe(304);
  });

  test.each(['yesterday', '', '2026-11-20', '2026-13-01T00:00:00Z', '1795180000000'])(
    "400: '%s' is not an ISO time",
    async (text) => {
      const res = await earlier(text);
      expect([res.statusCode, res.json()]).toEqual([
        400,
        { error: 'asOf must be an ISO time such as 2026-11-20T12:00:00Z', code: 'bad_request' },
      ]);
    },
  );

  test('400: two moments at once', async () => {
    expect((await s.get(`/api/dashboard?asOf=${then.toISOString()}&asOf=${then.toISOString()}`)).statusCode).toBe(400);
  });

  test('400: a moment that has not come yet', async () => {
    const res = await earlier(new Date(s.clock.now().getTime() + 1));
    expect([res.statusCode, res.json()]).toEqual([400, { error: 'That moment has not come yet', code: 'bad_request' }]);
    expect((await earlier(s.clock.now())).statusCode).toBe(200);
  });

  test('403: more than 30 days ago without a paid plan', async () => {
    const limit = s.clock.now().getTime() - 30 * DAY_MS;
    const res = await earlier(new Date(limit - 1));
    expect([res.statusCode, res.json()]).toEqual([
      403,
      {
        error: 'The last 30 days can be shown. Pro shows everything that is stored.',
        code: 'upgrade_required',
      },
    ]);
    expect((await earlier(new Date(limit))).statusCode).toBe(200);
  });

  test('200: every other query gets the prepared buffer', async () => {
    const plain = await s.get('/api/dashboard');
    for (const query of ['_=1795180000000', 'asof=2026-11-20T12:00:00Z', 'x'])
      expect((await s.get(`/api/dashboard?${query}`)).headers['etag']).toBe(plain.headers['etag']);
  });
});
