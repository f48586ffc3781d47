import { afterEach, describe, expect, test } from 'vitest';

import { advancedMetrics } from '#features/market/contract/metrics.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;

let world: TestProduct;
afterEach(() => world.stop());

const historyOf = async (metric: string) =>
  (await world.get(`/api/metrics/${metric}/history?days=30`)).json<{ points: { at: string; value: number }[] }>();

describe('demo history', () => {
  test('comes from the normal adapters at earlier moments: a value per day, marked demo, changes over 24h', async () => {
    world = await start({ mode: 'demo', past: true, env: { METRIC_PAST_DAYS: '6' } });
    await world.job('market.listing');
    await world.job('metrics.backfill');
    await world.job('metrics.listing');
    for (const metric of [
      'dominance.btc',
      'market.cap',
      'oi.total',
      'funding.market',
      'fear_greed',
      'stablecoins.supply',
    ]) {
      const { points } = await historyOf(metric);
      expect(points.length, metric).toBeGreaterThanOrEqual(6);
      expect(new Set(points.map(({ value }) => value)).size, metric).toBeGreaterThan(1);
    }
    const answer = advancedMetrics.parse((await world.get('/api/advanced-metrics')).json());
    expect(answer.bitcoinDominance.change_24h).not.toBeNull();
    expect(answer.bitcoinDominance.meta['change_24h']).toMatchObject({ method: 'demo' });
    const stored = await world.product.metrics.at(new Date(NOON.getTime() - 3 * DAY_MS));
    expect(stored.advanced.derivatives.openInterest.value).toBeGreaterThan(1e9);
    expect(stored.advanced.derivatives.openInterest.value).not.toBe(answer.derivatives.openInterest.value);
  });

  test('is the same market: the value stored for a day is what the product would have collected then', async () => {
    world = await start({ mode: 'demo', past: true, env: { METRIC_PAST_DAYS: '3' } });
    await world.job('market.listing');
    await world.job('metrics.backfill');
    const midnight = new Date('2026-11-18T00:00:00Z');
    const then = await world.product.metrics.at(midnight);
    await world.stop();
    world = await start({ mode: 'demo', at: midnight });
    await world.job('market.listing');
    await world.job('metrics.listing');
    const now = world.product.metrics.current();
    expect(then.advanced.totalMarketCap.value).toBe(now.advanced.totalMarketCap.value);
    expect(then.advanced.derivatives.openInterest.metadata.btc_oi).toBeCloseTo(
      now.advanced.derivatives.openInterest.metadata.btc_oi ?? 0,
      -6,
    );
  });

  test('is filled one month at a time, each run queues the next, and filled months are not requested again', async () => {
    world = await start({ mode: 'demo', past: true, env: { METRIC_PAST_DAYS: '40' } });
    await world.job('market.listing');
    const days = async () =>
      (await world.product.metrics.daily(['oi.total'], new Date(NOON.getTime() - 60 * DAY_MS), NOON)).get('oi.total');
    await world.job('metrics.backfill');
    expect(await days()).toHaveLength(31);
    expect(await world.product.scheduler.waiting('metrics.backfill')).toHaveLength(1);
    await world.job('metrics.backfill');
    const whole = await days();
    expect(whole).toHaveLength(40);
    await world.job('metrics.backfill');
    expect(await days()).toEqual(whole);
  });
});
