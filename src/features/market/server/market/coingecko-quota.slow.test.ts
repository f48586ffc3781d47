import { afterEach, describe, expect, test } from 'vitest';

import { metricsJobs } from '#features/market/server/metrics/jobs.ts';
import type { Job } from '#kernel/scheduler.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

import { coingeckoQuota } from './coingecko-quota.ts';
import { marketJobs } from './jobs.ts';
import { coingeckoSource } from './providers/coingecko.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const COLLECTING = new Set(['market.listing', 'market.collect', 'metrics.listing', 'metrics.slow']);

const KEY = { COINGECKO_API_KEY: 'CG-key' };
const PLANS = {
  keyless: { env: {}, perMinute: 5, perMonth: Number.POSITIVE_INFINITY },
  demo: { env: KEY, perMinute: 30, perMonth: 10_000 },
  paid: { env: { ...KEY, COINGECKO_PLAN: 'paid' }, perMinute: 250, perMonth: 100_000 },
};

let s: TestProduct;
afterEach(async () => {
  before = asked();
  await s.stop();
});

let before: Record<string, number> = {};
const asked = () => s.sandbox.faults.allRequests()['coingecko'] ?? {};
/** Calls of this test by path: the world is shared by the whole file. */
const total = () => Object.fromEntries(Object.entries(asked()).map(([path, n]) => [path, n - (before[path] ?? 0)]));
const sum = (calls: Record<string, number>) => Object.values(calls).reduce((all, count) => all + count, 0);
const coingecko = async () => {
  const { sources } = (await s.get('/api/health')).json<{ sources: { id: string; state: string; note: string }[] }>();
  return sources.find(({ id }) => id === 'coingecko');
};

/** Runs the jobs due within `ms`, as the scheduler would, and advances the clock. */
async function live(ms: number): Promise<void> {
  const { product } = s;
  const scheduler = () => product.scheduler;
  const jobs: Job[] = [...marketJobs(product.market.ctx, scheduler), ...metricsJobs(product.metrics.ctx, scheduler)];
  for (let passed = 0; passed < ms; passed += MINUTE_MS) {
    const minute = s.clock.now();
    const before = new Date(minute.getTime() - 1000);
    const due = jobs.filter(
      ({ name, schedule = [] }) =>
        COLLECTING.has(name) && product.scheduler.nextRun(schedule, before)?.getTime() === minute.getTime(),
    );
    await Promise.all(due.map(({ name }) => product.scheduler.runManually(name)));
    s.advance(MINUTE_MS);
  }
}

describe('calls to CoinGecko', () => {
  test.each([
    ['keyless', 60],
    ['demo', 90],
    ['paid', 15],
  ] as const)(
    '%s: requests in %d minutes stay within the hourly and monthly limits',
    { timeout: 300_000 },
    async (plan, minutes) => {
      const { env, perMinute, perMonth } = PLANS[plan];
      s = await start({ env: { COIN_LIMIT: '60', ...env } });
      const { membersMs, membersPerRun, globalMs, searchedMs } = coingeckoQuota(s.product.market.ctx.config);
      await live(minutes * MINUTE_MS);
      const calls = total();
      const lists = minutes / s.product.market.ctx.config.LISTING_MINUTES;
      // Once for the sixteen categories, then only when their coin lists are outdated.
      const members = (calls['/coins/markets'] ?? 0) - lists;
      expect(members).toBeGreaterThan(0);
      expect(members).toBeLessThanOrEqual(2 * membersPerRun);
      const searches = searchedMs === 0 ? 0 : (calls['/search/trending'] ?? 0);
      expect(Boolean(calls['/global'])).toBe(globalMs !== null);
      expect(calls['/coins/categories']).toBeGreaterThan(0);
      expect(sum(calls)).toBeLessThanOrEqual(minutes * perMinute);
      const often = sum(calls) - members - searches;
      const aDay = (1440 / minutes) * often + (searches * DAY_MS) / (searchedMs || DAY_MS) + 16 * (DAY_MS / membersMs);
      expect(31 * aDay).toBeLessThan(perMonth);
    },
  );

  test.each(Object.entries(PLANS))('%s: no minute has more of them than allowed', async (_, { env, perMinute }) => {
    s = await start({ env });
    const { config } = s.product.market.ctx;
    const options = coingeckoSource({ ...config, COINGECKO_BASE_URL: 'https://api.coingecko.com/api/v3' });
    expect(options.perMinute + options.burst).toBeLessThanOrEqual(perMinute);
  });

  test('a demo key low on monthly quota: history waits, the price list continues', async () => {
    s = await start({ env: KEY });
    await spend(7_500);
    s.sandbox.faults.set({ kind: 'server_error', provider: 'okx' });
    await s.job('market.listing');
    const calls = sum(total());
    await expect(s.job('market.backfill', { coinId: 'bitcoin' })).rejects.toThrow(
      'the rest of this month’s 10,000 calls is reserved for the price list',
    );
    expect(sum(total())).toBe(calls);
    await s.job('market.listing');
    expect(sum(total())).toBe(calls + 1);
    expect(await coingecko()).toMatchObject({ state: 'ok' });
  });

  test('a demo key out of monthly quota: CoinPaprika answers, the source states why, and the next month starts fresh', async () => {
    s = await start({ env: KEY });
    await spend(10_000);
    await s.job('market.listing');
    expect(sum(total())).toBe(0);
    expect(await coingecko()).toMatchObject({
      state: 'rate_limited',
      note: 'CoinGecko: this month’s 10,000 calls are used up',
    });
    const { prices } = (await s.get('/api/prices')).json<{ prices: { listing: { source: string } }[] }>();
    expect(prices[0]?.listing.source).toBe('CoinPaprika');
    s.advance(11 * DAY_MS);
    await s.job('market.listing');
    expect(sum(total())).toBe(1);
    expect(await coingecko()).toMatchObject({ state: 'ok', note: null });
  });
});

/** Calls counted by earlier processes this month. The product under test starts counting after it. */
async function spend(calls: number): Promise<void> {
  const hour = '2026-11-03T10:00:00.000Z';
  await s.product.market.ctx.db
    .insertInto('source_calls')
    .values({ source: 'coingecko', hour, latency_class: 20, calls })
    .execute();
}
