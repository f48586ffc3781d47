import { describe, expect, test } from 'vitest';

import { layer1Data } from '#features/market/contract/layer1.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { type Dashboard, dashboard } from '#features/site/contract/dashboard.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, sendRequest } from '#tests/support/people.ts';
import { start } from '#tests/support/start.ts';

describe('GET /api/dashboard', () => {
  const s = fileProduct({ env: { COIN_LIMIT: '250' } });

  test('200: before the first collection the list is empty and nothing is invented', async () => {
    const res = await s.get('/api/dashboard');
    expect(res.statusCode).toBe(200);
    expect(res.json()).toMatchObject({
      cryptoPrices: [],
      lastCollectionTime: null,
      subscriptionStatus: null,
      dataMode: 'live',
    });
    expect(res.json().totals).toMatchObject({ market_cap: null, volume_24h: null, coins: 0 });
    for (const part of ['aiAnalysis', 'upcomingEvents', 'layer1Data']) expect(res.json()).not.toHaveProperty(part);
    expect(res.json().backtestResults).toMatchObject({ overall_accuracy: null, total_predictions: 0, cells: [] });
  });

  test('200: before the first collection Layer 1 returns nulls and reasons, like its siblings', async () => {
    const res = await s.get('/api/layer1-data');
    expect(res.statusCode, res.body).toBe(200);
    expect(layer1Data.parse(res.json())).toMatchObject({
      chains: [],
      total_market_cap: null,
      meta: { total_market_cap: { metric: 'l1.total_cap', reason: 'The price list has not loaded yet' } },
    });
  });

  test('200: after a collection the tracked five lead in order, 250 coins follow by market cap', async () => {
    await s.job('market.listing');
    const body = dashboard.parse((await s.get('/api/dashboard')).json());
    expect(body.cryptoPrices).toHaveLength(250);
    expect(body.cryptoPrices.slice(0, 5).map((coin) => coin.symbol)).toEqual(TRACKED.map((coin) => coin.symbol));
    const caps = body.cryptoPrices.slice(5).map((coin) => coin.market_cap ?? 0);
    expect(caps).toEqual(caps.toSorted((a, b) => b - a));
    expect(body.lastCollectionTime).toBe('2026-11-20T12:00:00.000Z');
    expect(body.nextCollectionTime).toBe('2026-11-20T13:00:00.000Z');
  });

  test('200: every price states its source, when it was seen and until when it is fresh', async () => {
    const { cryptoPrices } = (await s.get('/api/dashboard')).json();
    for (const coin of cryptoPrices) {
      expect(coin.meta).toMatchObject({ source: 'CoinGecko', method: 'measured' });
      expect(Date.parse(coin.meta.observedAt)).toBeLessThanOrEqual(Date.parse(coin.meta.fetchedAt));
      expect(Date.parse(coin.meta.staleAfter) - Date.parse(coin.meta.observedAt)).toBe(600_000);
    }
  });

  test('200: totals are the list’s sums', async () => {
    const { cryptoPrices, totals } = (await s.get('/api/dashboard')).json();
    const sum = (field: 'market_cap' | 'volume_24h') =>
      cryptoPrices.reduce((all: number, coin: Record<string, number>) => all + (coin[field] ?? 0), 0);
    expect(totals.market_cap).toBeCloseTo(sum('market_cap'), 0);
    expect(totals.volume_24h).toBeCloseTo(sum('volume_24h'), 0);
    expect(totals).toMatchObject({ coins: 250, meta: { method: 'computed' } });
  });

  test('200: a full collection records its time', async () => {
    s.advance(60_000);
    await s.job('market.collect');
    expect((await s.get('/api/dashboard')).json().lastCollectionTime).toBe(s.clock.now().toISOString());
  });

  describe('with an account', () => {
    const read = async (token?: string) => sendRequest(s, 'GET', '/api/dashboard', undefined, token ? { token } : {});

    test.each([
      ['free', 'Free'],
      ['pro', 'Pro'],
      ['premium', 'Premium+'],
      ['admin', 'Admin'],
    ] as const)('200: on %s it differs from the public one in subscriptionStatus alone', async (plan, planName) => {
      const who = await registerUser(s, plan, plan);
      const own = (await read(who.token)).json<Dashboard>();
      const open = (await read()).json<Dashboard>();
      expect(own.subscriptionStatus).toEqual({ plan, planName });
      expect(open.subscriptionStatus).toBeNull();
      expect({ ...own, subscriptionStatus: null }).toEqual(open);
    });

    test('200: it follows the public one, even when the plan has not been requested in a while', async () => {
      const ann = await registerUser(s, 'ann', 'pro');
      await read(ann.token);
      s.advance(5_000);
      await s.product.rebuild();
      expect((await read(ann.token)).json<Dashboard>().timestamp).toBe((await read()).json<Dashboard>().timestamp);
      s.advance(700_000);
      await s.product.rebuild();
      s.advance(5_000);
      await s.product.rebuild();
      expect((await read(ann.token)).json<Dashboard>().timestamp).toBe((await read()).json<Dashboard>().timestamp);
    });

    test('an earlier moment: Pro may go back beyond 30 days, free may not', async () => {
      const [pro, free] = [await registerUser(s, 'eva', 'pro'), await registerUser(s, 'fred')];
      const asOf = new Date(s.clock.now().getTime() - 40 * 86_400_000).toISOString();
      const at = (token: string) => sendRequest(s, 'GET', `/api/dashboard?asOf=${asOf}`, undefined, { token });
      expect((await at(pro.token)).json()).toEqual({ error: 'No data is stored for that moment', code: 'not_found' });
      expect((await at(free.token)).json().code).toBe('upgrade_required');
      const now = `/api/dashboard?asOf=${s.clock.now().toISOString()}`;
      const seen = await sendRequest(s, 'GET', now, undefined, { token: pro.token });
      expect(seen.json<Dashboard>().subscriptionStatus).toEqual({ plan: 'pro', planName: 'Pro' });
      expect((await s.get(now)).json<Dashboard>().subscriptionStatus).toBeNull();
    });

    test('200: compressed, with its own ETag and 304', async () => {
      const ben = await registerUser(s, 'ben', 'premium');
      const headers = { authorization: `Bearer ${ben.token}`, 'accept-encoding': 'br' };
      const first = await s.get('/api/dashboard', headers);
      expect(first.headers['content-encoding']).toBe('br');
      const again = await s.get('/api/dashboard', { ...headers, 'if-none-match': String(first.headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      const open = await s.get('/api/dashboard', { 'accept-encoding': 'br' });
      expect(open.headers.etag).not.toBe(first.headers.etag);
    });

    test('200: many concurrent requests after a quiet time all get it', async () => {
      const cat = await registerUser(s, 'cat', 'pro');
      s.advance(700_000);
      await s.product.rebuild();
      const all = await Promise.all(Array.from({ length: 20 }, () => read(cat.token)));
      expect(new Set(all.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    });

    test('200: over a real connection, from memory', async () => {
      const dan = await registerUser(s, 'dan', 'pro');
      const { port } = await s.product.listen();
      const get = async () => {
        const response = await fetch(`http://127.0.0.1:${port}/api/dashboard`, {
          headers: { authorization: `Bearer ${dan.token}` },
        });
        return (await response.json()) as Dashboard;
      };
      expect((await get()).subscriptionStatus?.plan).toBe('pro');
      expect((await get()).subscriptionStatus?.plan).toBe('pro');
      await dan.post('/api/auth/logout');
      await expect.poll(async () => (await get()).subscriptionStatus, { timeout: 20_000 }).toBeNull();
    });
  });
});

test('GET /api/dashboard in demo mode: 200: the payload and every number are marked demo', async () => {
  const s = await start({ mode: 'demo' });
  await s.job('market.listing');
  const body = (await s.get('/api/dashboard')).json();
  expect(body.dataMode).toBe('demo');
  expect(new Set(body.cryptoPrices.map((coin: { meta: { method: string } }) => coin.meta.method))).toEqual(
    new Set(['demo']),
  );
  expect(body.totals.meta.method).toBe('demo');
  expect((await s.get('/api/about')).json().dataMode).toBe('demo');
  await s.stop();
});
