import { describe, expect, test } from 'vitest';

import type { Health } from '#features/operations/contract/health.ts';
import { about } from '#features/site/contract/legal.ts';
import { fileProduct } from '#tests/support/for-file.ts';

describe('GET /api/about', () => {
  const s = fileProduct({
    env: {
      COIN_LIMIT: '250',
      FAST_LANE_SECONDS: '120',
      LISTING_MINUTES: '10',
      SLOW_LANE_MINUTES: '360',
      PRO_PRICE_USD: '19.5',
      PREMIUM_PRICE_USD: '120',
      TRIAL_DAYS: '14',
      FIRST_MONTH_DISCOUNT: '50',
      FULL_COLLECTION_CRON: '0 8-18 * * 1-5; 30 6 * * 0',
    },
  });

  const read = async () => about.parse((await s.get('/api/about')).json());

  test('200: the schedule matches the running configuration', async () => {
    expect((await read()).schedule).toEqual({
      prices: 'at least every 2 minutes',
      listing: 'every 10 minutes',
      full: [
        { when: 'Weekdays 8-18 UTC', rhythm: 'hourly' },
        { when: 'Sundays', rhythm: 'at 06:30 UTC' },
      ],
      slow: 'every 6 hours',
    });
  });

  test('200: coins and sources are counted from the running instance, before and after a collection', async () => {
    expect((await read()).counts.coins).toBe(0);
    await s.job('market.listing');
    const { counts, sources, dataMode } = await read();
    const health = (await s.get('/api/health')).json<Pick<Health, 'sources'>>();
    expect(counts).toEqual({ coins: 250, sources: health.sources.length });
    expect(sources.map(({ id, name }) => ({ id, name }))).toEqual(health.sources.map(({ id, name }) => ({ id, name })));
    expect(dataMode).toBe('live');
  });

  test('200: monthly prices without any discount, and the trial days, as configured', async () => {
    const { limits } = (await s.get('/api/subscription/pricing')).json();
    expect((await read()).plans).toEqual({ pro: 19.5, premium: 120, trialDays: 14, limits });
  });

  test('200: uptime as measured, with its window and target', async () => {
    const health = (await s.get('/api/health')).json<Pick<Health, 'uptime'>>();
    expect((await read()).uptime).toEqual(health.uptime);
    expect((await read()).uptime).toMatchObject({ targetPercent: 99.9 });
  });
});
