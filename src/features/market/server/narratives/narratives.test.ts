import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Narrative, trendingNarratives } from '#features/market/contract/narratives.ts';
import { hasOrigin } from '#shared/figures.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { computeBreadth, normalCdf } from './formulas.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HALF_AN_HOUR = HOUR_MS / 2;

let s: TestProduct;
const read = async (): Promise<Narrative[]> => {
  const response = await s.get('/api/trending-narratives');
  expect(response.statusCode).toBe(200);
  return trendingNarratives.parse(response.json()).narratives;
};

/** Thirty days of closes of every coin, as from the world's exchanges. */
async function storeDailyCloses(): Promise<void> {
  const { db } = s.product.market.ctx;
  const keys = await db.selectFrom('coins').select(['id', 'key']).execute();
  const today = Math.floor(s.clock.now().getTime() / DAY_MS) * DAY_MS;
  const rows = keys.flatMap(({ id, key }) =>
    Array.from({ length: 31 }, (_, i) => {
      const atMs = today - (31 - i) * DAY_MS;
      const close = s.sandbox.market.priceAt(id, atMs + DAY_MS);
      const at = new Date(atMs).toISOString();
      const bar = { open: close, high: close, low: close, close, volume: null, minutes: 1440 };
      return { ...bar, coin_key: key, at, source: 'okx', fetched_at: at, method: 'computed' as const };
    }),
  );
  for (let i = 0; i < rows.length; i += 1000)
    await db
      .insertInto('candles_1d')
      .values(rows.slice(i, i + 1000))
      .execute();
}

describe('GET /api/trending-narratives', () => {
  beforeAll(async () => {
    s = await start();
  });
  afterAll(() => s.stop());

  test('200: before the first reading there are no narratives', async () => {
    expect(await read()).toEqual([]);
  });

  test('200: one run reads eight categories, the next the others; the ten most relevant are shown in order', async () => {
    await s.job('market.listing');
    await s.job('metrics.slow');
    expect(await read()).toHaveLength(8);
    s.advance(HALF_AN_HOUR);
    await s.job('market.listing');
    await s.job('metrics.slow');
    const narratives = await read();
    expect(narratives).toHaveLength(10);
    const relevance = narratives.map(({ relevance_score }) => relevance_score ?? -1);
    expect(relevance).toEqual(relevance.toSorted((a, b) => b - a));
    for (const id of ['stablecoins', 'wrapped-tokens', 'liquid-staking-tokens'])
      expect(narratives.map((each) => each.id)).not.toContain(id);
  });

  test('200: at most five coins each, category volume and change, all with source and age', async () => {
    for (const narrative of await read()) {
      expect(narrative.coins.length).toBeGreaterThan(0);
      expect(narrative.coins.length).toBeLessThanOrEqual(5);
      expect(narrative.total_volume_24h).toBeGreaterThan(0);
      const meta = narrative.meta['total_volume_24h'];
      expect(hasOrigin(meta) && [meta.source, meta.method]).toEqual(['CoinGecko', 'measured']);
      const change = narrative.meta['avg_change_24h'];
      expect(hasOrigin(change) && [change.source, change.method]).toEqual(['Meridian', 'computed']);
      for (const coin of narrative.coins) {
        const listed = s.sandbox.market.coins.find(({ symbol }) => symbol.toUpperCase() === coin.coin_symbol);
        expect(listed?.sector).toBe(narrative.id);
      }
    }
  });

  test('200: values that need history are null with a reason or omitted from the sentences; nothing is invented', async () => {
    for (const { terms, sentiment, market_insights: insights } of await read()) {
      expect(terms).toMatchObject({ relative_sigma: null, volume_z: null, volatility: null });
      expect([sentiment, insights.risk_level, insights.opportunity_score]).toEqual([null, null, null]);
      expect(insights.trend_analysis).toMatch(
        /^(Up|Down|Flat).* vs\. \S+% for the market\. \d+ of \d+ coins rising\.$/,
      );
      expect(insights.trend_analysis).not.toContain('σ');
      expect(insights.volume_analysis).toMatch(/; 0 of 10 days needed for a baseline$/);
    }
  });

  test('200: with daily closes, volatility, sentiment, risk and opportunity follow the stated formulas', async () => {
    await storeDailyCloses();
    await s.job('metrics.slow');
    const narratives = await read();
    const known = narratives.filter(({ terms }) => terms.volatility !== null);
    expect(known.length).toBeGreaterThan(3);
    for (const { terms, sentiment, market_insights: insights, relevance_score, avg_change_24h } of known) {
      expect(sentiment).not.toBeNull();
      expect(terms.volatility).toBeGreaterThan(0.05);
      expect(insights.trend_analysis).toMatch(/ for the market \([+−]\d+\.\dσ\)\. /);
      const board = s.product.market.ctx.board.totals().change_24h as number;
      const sigma = ((avg_change_24h as number) - board) / ((100 * (terms.volatility as number)) / Math.sqrt(365));
      expect(terms.relative_sigma).toBeCloseTo(sigma, 1);
      const [relevance, breadth] = [relevance_score as number, terms.breadth as number];
      const least = 100 * (0.4 * relevance + 0.3 * normalCdf(terms.relative_sigma as number) + 0.2 * breadth);
      expect(insights.opportunity_score).toBeGreaterThanOrEqual(least - 1e-9);
      expect(insights.opportunity_score).toBeLessThanOrEqual(least + 10 + 1e-9);
    }
    expect(new Set(known.map(({ market_insights }) => market_insights.risk_level)).size).toBeGreaterThan(1);
  });

  test('200: volume against its own history is known after ten stored days', { timeout: 300_000 }, async () => {
    for (let day = 0; day < 10; day++) {
      s.advance(DAY_MS - HALF_AN_HOUR);
      await s.product.scheduler.runManually('metrics.slow');
      s.advance(HALF_AN_HOUR);
      await s.product.scheduler.runManually('metrics.slow');
    }
    await s.job('market.listing');
    const narratives = (await read()).filter(({ terms }) => terms.volume_z !== null);
    expect(narratives.length).toBeGreaterThan(3);
    for (const { market_insights, meta } of narratives) {
      expect(market_insights.volume_analysis).toMatch(/[+−]\d+\.\dσ vs\. its 10-day average$/);
      expect(meta['relevance_score']).toMatchObject({ historyDays: 10 });
    }
  });

  test('200: breadth counts every coin read', async () => {
    const snapshot = s.product.metrics.current().snapshot;
    for (const { id, terms } of await read()) {
      const members = snapshot.find(`narrative.${id}`)?.detail?.['members'] as [string, number, number | null][];
      expect(terms.breadth).toBe(computeBreadth(members.map(([, , change]) => change)));
    }
  });

  test('200: CoinGecko is down: the last narratives remain with their age and go stale after two hours', async () => {
    const before = await read();
    s.sandbox.faults.set({ kind: 'server_error', provider: 'coingecko' });
    s.advance(3 * HOUR_MS);
    await s.job('metrics.slow');
    const after = await read();
    expect(after).toEqual(before);
    const meta = after[0]?.meta['total_volume_24h'];
    expect(hasOrigin(meta) && Date.parse(meta.staleAfter)).toBeLessThan(s.clock.now().getTime());
  });

  test('an earlier moment is rebuilt from stored data', async () => {
    s.sandbox.faults.clear();
    const then = s.clock.now();
    const before = await read();
    s.advance(DAY_MS);
    await s.job('market.listing');
    await s.job('metrics.slow');
    expect(await read()).not.toEqual(before);
    const { snapshot } = await s.product.metrics.at(then);
    const { composeNarratives } = await import('./service.ts');
    expect(composeNarratives({ snapshot }).narratives).toEqual(before);
  });
});

describe('a partial CoinGecko failure', () => {
  afterEach(() => s.stop());

  test('without trending-search categories the largest are followed', async () => {
    s = await start();
    s.sandbox.faults.set({ kind: 'server_error', provider: 'coingecko', path: '/search/trending' });
    await s.job('market.listing');
    await s.job('metrics.slow');
    const narratives = await read();
    expect(narratives).toHaveLength(8);
    expect(narratives.map(({ id }) => id)).toContain('layer-1');
  });

  test('nulls stay nulls when CoinGecko sends them, never zeros', async () => {
    s = await start();
    s.sandbox.faults.set({ kind: 'nulls', provider: 'coingecko' });
    await s.job('metrics.slow');
    const coins = (await read()).flatMap((each) => each.coins);
    expect(coins.length).toBeGreaterThan(20);
    for (const coin of coins) expect(coin.price_usd).toBeGreaterThan(0);
  });
});
