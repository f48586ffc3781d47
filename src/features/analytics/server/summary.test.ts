import { describe, expect, test } from 'vitest';
import { type AnalyticsSummary, getSummary } from '#features/analytics/contract.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { hasOrigin } from '#shared/figures.ts';
import { member, product } from '#tests/support/for-file.ts';

const s = product({ env: { COIN_LIMIT: '30' } });
const premium = member(s, 'premium', 'premium');

async function summary(): Promise<AnalyticsSummary> {
  const res = await premium.get('/api/analytics/summary');
  expect(res.statusCode, res.body).toBe(200);
  return getSummary.reply.parse(res.json()).summary;
}

/** What the source says of the tracked assets, in their order; a coin without a change has null. */
async function told(changes: (number | null)[]): Promise<void> {
  const { db } = s.product.market.ctx;
  await db.deleteFrom('coin_quotes').execute();
  const at = s.clock.now().toISOString();
  const rows = changes.map((change_24h, i) => ({
    coin_id: TRACKED[i]?.id ?? '',
    source: 'coingecko',
    price: 100,
    change_24h,
    change_7d: null,
    low_24h: null,
    high_24h: null,
    volume_24h: change_24h === null ? null : 1e9 * (i + 1),
    market_cap: null,
    observed_at: at,
    fetched_at: at,
    method: 'measured' as const,
  }));
  if (rows.length > 0) await db.insertInto('coin_quotes').values(rows).execute();
  await s.product.refresh();
}

describe('GET /api/analytics/summary', () => {
  test('an empty database has reasons in place of figures', async () => {
    const empty = await summary();
    expect(empty).toMatchObject({
      totalVolume: null,
      volatility: null,
      riskAdjustedReturn: null,
      avgChange: null,
      bitcoinDominance: null,
      assetCount: 0,
      trend: null,
      volatilityLevel: null,
    });
    expect(empty.meta['volatility']).toEqual({
      metric: 'analytics.volatility',
      reason: 'The 24h changes of two assets at least are needed',
    });
  });

  test('every figure has its source and age, and what it was computed from', async () => {
    await s.job('market.listing');
    await s.job('metrics.listing');
    const known = await summary();
    expect(known).toMatchObject({ assetCount: 5, trend: expect.stringMatching(/^(Bullish|Bearish)$/) });
    for (const [name, meta] of Object.entries(known.meta)) {
      expect(hasOrigin(meta), name).toBe(true);
      expect(meta).toMatchObject({ observedAt: expect.any(String), method: expect.any(String) });
    }
    expect(known.meta['totalVolume']).toMatchObject({ source: 'Meridian', venues: ['CoinGecko'], method: 'computed' });
    expect(known.meta['avgChange']).toMatchObject({
      terms: expect.stringMatching(/^BTC .*%, ETH .*%, SOL .*XRP .*%$/),
    });
    expect(known.bitcoinDominance).toBe(s.product.metrics.current().advanced.bitcoinDominance.value);
  });

  test('worked example: the standard deviation of 2, 4, 4, 4 and 6 is 1.2649, the mean 4, the ratio 3.1465', async () => {
    await told([2, 4, 4, 4, 6]);
    const { volatility, avgChange, riskAdjustedReturn, totalVolume } = await summary();
    expect(volatility).toBeCloseTo(1.2649110641, 9);
    expect(avgChange).toBeCloseTo(4, 9);
    expect(riskAdjustedReturn).toBeCloseTo((4 - 0.02) / 1.2649110641, 8);
    expect(totalVolume).toBe(15e9);
  });

  test.each([
    ['Bullish', 'Low', [0, 0, 0, 5, -5]],
    ['Bearish', 'Low', [0, 0, 0, 0, -0.01]],
    ['Bullish', 'Low', [5, -5]],
    ['Bullish', 'Medium', [5.01, -5.01]],
    ['Bullish', 'Medium', [10, -10]],
    ['Bearish', 'High', [10, -10.1]],
    ['Bullish', 'High', [30, -10, null, null, null]],
  ])('%s and %s of the changes %j', async (trend, volatilityLevel, changes) => {
    await told(changes);
    expect(await summary()).toMatchObject({ trend, volatilityLevel, assetCount: changes.length });
  });

  test('one asset has no volatility, assets that moved alike no ratio', async () => {
    await told([3]);
    expect(await summary()).toMatchObject({
      avgChange: 3,
      volatility: null,
      riskAdjustedReturn: null,
      trend: 'Bullish',
    });
    await told([3, 3, 3]);
    const alike = await summary();
    expect(alike).toMatchObject({ volatility: 0, volatilityLevel: 'Low', riskAdjustedReturn: null });
    expect(alike.meta['riskAdjustedReturn']).toMatchObject({ reason: expect.stringContaining('moved alike') });
  });
});
