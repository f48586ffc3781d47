import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Fault } from '#sandbox/faults.ts';

import { start, type TestProduct } from '#tests/support/start.ts';

import { backfillCoin } from './service/backfill.ts';

const COINS = 60;

let s: TestProduct;
beforeEach(async () => {
  s = await start({ env: { COIN_LIMIT: String(COINS) } });
});
afterEach(() => s.stop());

const priceOf = (id: string) => s.product.market.ctx.board.find(id);
const stateOf = (id: string) => s.product.market.sources().find((source) => source.id === id);

const coinOf = async (id: string) =>
  s.product.market.ctx.db
    .selectFrom('coins')
    .innerJoin('coin_quotes', 'coin_quotes.coin_id', 'coins.id')
    .select(['circulating_supply', 'price', 'market_cap'])
    .where('coins.id', '=', id)
    .where('source', '=', 'coinpaprika')
    .executeTakeFirstOrThrow();

const FAULTS: [string, Fault, string][] = [
  ['429 with Retry-After', { kind: 'rate_limit', retryAfter: 53 }, 'rate_limited'],
  ['a rate-limit body under 200', { kind: 'rate_limit_200' }, 'rate_limited'],
  ['500', { kind: 'server_error' }, 'down'],
  ['a connection cut in the middle', { kind: 'truncated', cut: true }, 'down'],
  ['an HTML page under 200', { kind: 'malformed', html: true }, 'down'],
];

describe('market.listing with a failing CoinGecko', () => {
  test.each(FAULTS)(
    '%s: CoinPaprika answers, the failing source is named, no figure is lost',
    async (_what, fault, state) => {
      await s.job('market.listing');
      const before = priceOf('bitcoin');
      s.sandbox.faults.set({ ...fault, provider: 'coingecko' });
      s.advance(300_000);
      await s.job('market.listing');
      const after = priceOf('bitcoin');
      expect(after?.meta.source).toBe('CoinPaprika');
      expect(Math.abs((after?.price ?? 0) / (before?.price ?? 1) - 1)).toBeLessThan(0.2);
      expect(s.product.market.ctx.board.size()).toBe(COINS);
      expect(stateOf('coingecko')).toMatchObject({ state });
      expect(stateOf('coingecko')?.note).toMatch(/CoinGecko/);
      const health = (await s.get('/api/health')).json();
      expect(health.status).toBe('degraded');
    },
  );

  test('all sources fail: figures remain with their age, the failure is reported', async () => {
    await s.job('market.listing');
    const before = priceOf('bitcoin');
    s.sandbox.faults.set({ kind: 'server_error', provider: '*' });
    s.advance(900_000);
    await expect(s.job('market.listing')).rejects.toThrow(/No source returned a price list/);
    await s.product.refresh();
    const body = (await s.get('/api/dashboard')).json();
    expect(body.cryptoPrices).toHaveLength(COINS);
    expect(body.cryptoPrices[0].meta).toEqual(before?.meta);
    expect(Date.parse(body.cryptoPrices[0].meta.staleAfter)).toBeLessThan(Date.parse(body.timestamp));
    expect(body.sources.filter((source: { state: string }) => source.state === 'down')).toHaveLength(2);
  });

  test('recovery needs no restart', async () => {
    s.sandbox.faults.set({ kind: 'server_error', provider: '*', count: 6 });
    await expect(s.job('market.listing')).rejects.toThrow();
    s.sandbox.faults.clear();
    await s.job('market.listing');
    expect(s.product.market.ctx.board.size()).toBe(COINS);
  });

  test('content that stopped changing counts as stale, and the next source answers', async () => {
    await s.job('market.listing');
    s.sandbox.faults.set({ kind: 'stale', provider: 'coingecko' });
    s.advance(30 * 60_000);
    await s.job('market.listing');
    expect(stateOf('coingecko')?.state).toBe('stale');
    expect(priceOf('ethereum')?.meta.source).toBe('CoinPaprika');
    s.sandbox.faults.clear();
    s.advance(60_000);
    await s.job('market.listing');
    expect(stateOf('coingecko')?.state).toBe('ok');
    expect(priceOf('ethereum')?.meta.source).toBe('CoinGecko');
  });

  test('nulls from providers never become zeros', async () => {
    s.sandbox.faults.set({ kind: 'nulls', provider: 'coingecko' });
    await s.job('market.listing');
    const { cryptoPrices } = (await s.get('/api/dashboard')).json();
    expect(cryptoPrices.length).toBeGreaterThan(COINS * 0.8);
    for (const coin of cryptoPrices) {
      expect(coin.price).toBeGreaterThan(0);
      expect(coin.market_cap).not.toBe(0);
      expect(coin.volume_24h).not.toBe(0);
    }
  });

  test('the first start with CoinGecko down: the tracked five have their own ids, supply is market cap ÷ price', async () => {
    s.sandbox.faults.set({ kind: 'server_error', provider: 'coingecko' });
    await s.job('market.listing');
    const { cryptoPrices } = (await s.get('/api/dashboard')).json();
    expect(cryptoPrices.slice(0, 5).map((coin: { id: string }) => coin.id)).toEqual([
      'bitcoin',
      'ethereum',
      'solana',
      'sui',
      'ripple',
    ]);
    // Not the total supply.
    const { circulating_supply, price, market_cap } = await coinOf('ripple');
    expect(circulating_supply).toBeCloseTo((market_cap ?? 0) / price, 0);
    s.sandbox.faults.clear();
    s.advance(300_000);
    await s.job('market.listing');
    const ids = (await s.get('/api/dashboard')).json().cryptoPrices.map((coin: { id: string }) => coin.id);
    expect(new Set(ids).size).toBe(COINS);
  });
});

test('charts missing from CoinGecko are no CoinGecko failure: the price list continues', async () => {
  const { ctx } = s.product.market;
  const ids = ['gone-1', 'gone-2', 'gone-3', 'gone-4'];
  await s.job('market.listing');
  const coin = { symbol: 'GONE', name: 'Gone', rank: null, updated_at: s.clock.now().toISOString() };
  await ctx.db
    .insertInto('coins')
    .values(ids.map((id) => ({ ...coin, id })))
    .execute();
  for (const id of ids) await backfillCoin(ctx, id, AbortSignal.timeout(60_000));
  expect(stateOf('coingecko')).toMatchObject({ state: 'ok', note: null });
  s.advance(300_000);
  await s.job('market.listing');
  expect(priceOf('bitcoin')?.meta).toMatchObject({ source: 'CoinGecko', observedAt: expect.stringContaining('12:0') });
  const rows = await ctx.db.selectFrom('candle_backfills').select('state').where('coin_id', 'in', ids).execute();
  expect(rows.map(({ state }) => state)).toEqual(ids.map(() => 'unavailable'));
});

test('a CoinPaprika supply never replaces one published by CoinGecko', async () => {
  await s.job('market.listing');
  const supplyOf = async () =>
    s.product.market.ctx.db
      .selectFrom('coins')
      .select(['circulating_supply', 'supply_method'])
      .where('id', '=', 'ripple')
      .executeTakeFirstOrThrow();
  const published = await supplyOf();
  expect(published.supply_method).toBe('measured');
  s.sandbox.faults.set({ kind: 'server_error', provider: 'coingecko' });
  s.advance(300_000);
  await s.job('market.listing');
  expect(priceOf('ripple')?.meta.source).toBe('CoinPaprika');
  expect(await supplyOf()).toEqual(published);
});

test('a repeated answer is stored once, with its source, times and method', async () => {
  await s.job('market.listing');
  await s.job('market.listing');
  const rows = await s.product.market.ctx.db.selectFrom('price_observations').selectAll().execute();
  expect(rows).toHaveLength(COINS);
  expect(rows[0]).toMatchObject({ source: 'coingecko', method: 'measured', fetched_at: '2026-11-20T12:00:00.000Z' });
});
