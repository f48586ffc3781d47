import { beforeAll, describe, expect, test } from 'vitest';
import { getLayer1Data } from '#features/market/contract/layer1.ts';
import { listPrices, listSparklines } from '#features/market/contract/market.ts';
import {
  getAdvancedMetrics,
  getDerivatives,
  getMarketSentiment,
  getOnchain,
} from '#features/market/contract/metrics.ts';
import { getTrendingNarratives } from '#features/market/contract/narratives.ts';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { getAbout } from '#features/site/contract/legal.ts';
import { fileProduct } from '#tests/support/file-product.ts';

const HOUR_MS = 3_600_000;

const s = fileProduct();
beforeAll(async () => {
  for (const job of ['market.listing', 'metrics.listing', 'metrics.slow']) await s.job(job);
});

const PUBLIC = [
  getDashboard,
  listPrices,
  listSparklines,
  getAdvancedMetrics,
  getMarketSentiment,
  getDerivatives,
  getOnchain,
  getLayer1Data,
  getTrendingNarratives,
  getAbout,
];

describe('what is served, put together from pieces', () => {
  test.each(PUBLIC)('$path is to the letter what its contract makes of it', async ({ path, reply }) => {
    const { statusCode, body } = await s.get(path);
    expect(statusCode).toBe(200);
    expect(body).toBe(JSON.stringify(reply.parse(JSON.parse(body))));
  });

  test('every payload of a rebuild tells of the same moment and the same prices', async () => {
    s.advance(60_000);
    await s.product.rebuild();
    const [dashboard, list] = [(await s.get('/api/dashboard')).json(), (await s.get('/api/prices')).json()];
    expect(dashboard.timestamp).toBe(list.timestamp);
    expect(list.prices).toEqual(dashboard.cryptoPrices);
  });

  test('the next collection stays until it has come, then the one after it is named', async () => {
    const next = async () => {
      await s.product.rebuild();
      return (await s.get('/api/dashboard')).json().nextCollectionTime;
    };
    expect(await next()).toBe('2026-11-20T13:00:00.000Z');
    s.advance(HOUR_MS / 2);
    expect(await next()).toBe('2026-11-20T13:00:00.000Z');
    s.advance(HOUR_MS / 2);
    expect(await next()).toBe('2026-11-20T14:00:00.000Z');
    s.advance(-2 * HOUR_MS);
    expect(await next()).toBe('2026-11-20T12:00:00.000Z');
  });
});
