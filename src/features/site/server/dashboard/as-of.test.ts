import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { CryptoPrice } from '#features/market/contract/market.ts';
import { type Dashboard, dashboard, getChanges } from '#features/site/contract/dashboard.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let s: TestProduct;
const earlier = (at: Date | string) =>
  s.get(`/api/dashboard?asOf=${encodeURIComponent(typeof at === 'string' ? at : at.toISOString())}`);
const showing = async (at: Date) => dashboard.parse((await earlier(at)).json());
const current = async () => dashboard.parse((await s.get('/api/dashboard')).json());

/** Without the seven-day change and the day's range, which come from candles and have their own provenance. */
const rebuildable = (prices: CryptoPrice[]) =>
  prices.map((coin) => ({ ...coin, rebuilt: undefined, change_7d: null, low_24h: null, high_24h: null }));

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
    expect(statusAndMessage(res)).toEqual([404, 'No data is stored for that moment']);
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
    expect(rebuildable(rebuilt.cryptoPrices)).toEqual(rebuildable(before.cryptoPrices));
    const { backtestResults: _record, ...shown } = before;
    expect({ ...rebuilt, cryptoPrices: [], sources: [] }).toEqual({
      ...shown,
      cryptoPrices: [],
      sources: [],
      timestamp: then.toISOString(),
      asOf: then.toISOString(),
    });
    expect(rebuilt.trendingNarratives?.length).toBeGreaterThan(5);
    expect(after).not.toHaveProperty('asOf');
  });

  test('200: between two collections the earlier one applies, with its true age', async () => {
    const between = new Date(then.getTime() + 50 * 60_000);
    const { cryptoPrices, lastCollectionTime } = await showing(between);
    expect(rebuildable(cryptoPrices)).toEqual(rebuildable(before.cryptoPrices));
    expect(lastCollectionTime).toBe(before.lastCollectionTime);
    for (const { meta } of cryptoPrices) expect(Date.parse(meta.observedAt)).toBeLessThanOrEqual(then.getTime());
  });

  test('200: a venue tick gives that moment’s price, the list gives volume and the change reference', async () => {
    s.advance(60_000);
    await s.job('market.tickers');
    const ticked = await current();
    expect(ticked.cryptoPrices[0]?.meta.source).toBe('OKX');
    const at = s.clock.now();
    s.advance(HOUR_MS);
    await collect();
    const { cryptoPrices, totals } = await showing(at);
    expect(rebuildable(cryptoPrices)).toEqual(rebuildable(ticked.cryptoPrices));
    expect(totals).toEqual(ticked.totals);
  });

  test('200: before the first collection closed candles give price and change; no volume is invented', async () => {
    await s.job('market.backfill', { coinId: 'bitcoin' });
    const at = new Date(then.getTime() - 10 * DAY_MS + 25 * 60_000);
    const rebuilt = await showing(at);
    expect(rebuilt.cryptoPrices.map(({ id }) => id)).toEqual(['bitcoin']);
    const [coin] = rebuilt.cryptoPrices;
    const ended = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    expect(coin?.meta).toMatchObject({ source: 'OKX', method: 'computed', observedAt: new Date(ended).toISOString() });
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

  test('200: the seven-day change and the day range come from stored candles and are labeled so', async () => {
    const { cryptoPrices } = await showing(then);
    const bitcoin = cryptoPrices.find(({ id }) => id === 'bitcoin');
    const listed = before.cryptoPrices.find(({ id }) => id === 'bitcoin');
    expect(bitcoin?.change_7d).toBeCloseTo(listed?.change_7d ?? 0, 0);
    expect((bitcoin?.low_24h ?? 0) / (listed?.low_24h ?? 1)).toBeCloseTo(1, 2);
    expect((bitcoin?.high_24h ?? 0) / (listed?.high_24h ?? 1)).toBeCloseTo(1, 2);
    expect(bitcoin?.rebuilt?.change_7d).toMatchObject({
      source: 'Meridian',
      method: 'computed',
      venues: expect.arrayContaining(['CoinGecko', 'OKX']),
      terms: expect.stringMatching(/^\$[\d,.]+ vs\. the close of \$[\d,.]+ on 2026-11-13 \d\d:00 UTC$/),
    });
    expect(bitcoin?.rebuilt?.range_24h).toMatchObject({
      source: 'Meridian',
      method: 'computed',
      terms: 'Low and high of 24 hours',
      observedAt: expect.stringMatching(/^2026-11-20T/),
    });
    const past = (await showing(new Date(then.getTime() + 25 * 60_000))).cryptoPrices[0];
    expect(past?.rebuilt?.range_24h).toMatchObject({
      terms: expect.stringMatching(/^Low and high of 23 hours and of \d+ minutes around them$/),
    });
  });

  test('200: without those candles they are null, with the reason', async () => {
    const { cryptoPrices } = await showing(then);
    const ethereum = cryptoPrices.find(({ id }) => id === 'ethereum');
    expect(ethereum).toMatchObject({
      change_7d: null,
      low_24h: null,
      high_24h: null,
      rebuilt: {
        change_7d: { metric: 'coin.change_7d', reason: 'No price is stored for seven days before that time' },
        range_24h: { metric: 'coin.range', reason: 'Candles are stored for 0 of the 24 full hours before that time' },
      },
    });
    const [long] = (await showing(new Date(then.getTime() - 10 * DAY_MS))).cryptoPrices;
    expect(long?.rebuilt?.volume_24h).toMatchObject({
      reason: expect.stringContaining('No price list is stored for that time'),
    });
  });

  test('200: sources as they responded in that hour, by the calls counted then', async () => {
    const sourceAt = async (at: Date, id: string) => (await showing(at)).sources.find((source) => source.id === id);
    expect(await sourceAt(then, 'coingecko')).toMatchObject({
      state: 'ok',
      note: null,
      lastSuccessAt: then.toISOString(),
    });
    const earlierStill = new Date(then.getTime() - 10 * DAY_MS);
    expect(await sourceAt(earlierStill, 'coingecko')).toMatchObject({
      state: 'unknown',
      note: 'No call between 12:00 and 12:59 UTC is recorded',
      lastSuccessAt: null,
    });
    s.advance(HOUR_MS);
    s.sandbox.faults.set({ kind: 'server_error', provider: 'alternative-me' });
    await collect();
    const failed = s.clock.now();
    s.sandbox.faults.clear();
    s.advance(HOUR_MS);
    await collect();
    expect(await sourceAt(failed, 'alternative-me')).toMatchObject({
      state: 'down',
      note: expect.stringMatching(/^0 of \d+ calls between \d\d:00 and \d\d:59 UTC succeeded$/),
    });
    expect(await sourceAt(s.clock.now(), 'alternative-me')).toMatchObject({ state: 'ok' });
  });

  test('200: changes since a moment, by its stored prices; invalid and too early moments are rejected', async () => {
    const changes = (query: string) => s.get(`/api/changes${query}`);
    const { since, changes: found } = getChanges.reply.parse((await changes(`?since=${then.toISOString()}`)).json());
    expect(since).toBe(then.toISOString());
    const [first] = found;
    const rows = new Map((await current()).cryptoPrices.map((row) => [row.name, row]));
    const [, name = '', percent] = first?.text.match(/^(.+) ([+−][\d.]+)% \(market [+−]?[\d.]+%\)$/) ?? [];
    const [now, past] = [rows.get(name), before.cryptoPrices.find((row) => row.name === name)];
    const moved = 100 * ((now?.price ?? 0) / (past?.price ?? 1) - 1);
    expect(Number(percent?.replace('−', '-'))).toBeCloseTo(moved, 1);
    expect((await changes('?since=yesterday')).json()).toEqual({
      error: 'since: must be an ISO time such as 2026-11-20T12:00:00Z',
      code: 'bad_request',
    });
    expect((await changes('?since=2026-01-01T00:00:00Z')).statusCode).toBe(403);
  });

  test.each(['yesterday', '', '2026-11-20', '2026-13-01T00:00:00Z', '1795180000000'])(
    "400: '%s' is not an ISO time",
    async (text) => {
      const res = await earlier(text);
      expect(statusAndMessage(res)).toEqual([400, 'asOf must be an ISO time such as 2026-11-20T12:00:00Z']);
    },
  );

  test('400: two moments together', async () => {
    expect((await s.get(`/api/dashboard?asOf=${then.toISOString()}&asOf=${then.toISOString()}`)).statusCode).toBe(400);
  });

  test('400: a future moment', async () => {
    const res = await earlier(new Date(s.clock.now().getTime() + 1));
    expect(statusAndMessage(res)).toEqual([400, 'This time is in the future']);
    expect((await earlier(s.clock.now())).statusCode).toBe(200);
  });

  test('403: more than 30 days ago without a paid plan', async () => {
    const limit = s.clock.now().getTime() - 30 * DAY_MS;
    const res = await earlier(new Date(limit - 1));
    const error = 'Your plan includes the last 30 days. Pro includes full history.';
    expect([res.statusCode, res.json()]).toEqual([403, { error, code: 'upgrade_required' }]);
    expect((await earlier(new Date(limit))).statusCode).toBe(200);
  });
});
