import { beforeAll, describe, expect, test } from 'vitest';

import { collectionTopic } from '#features/analysis/contract/analysis.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { collectMarket } from '#tests/support/predictions.ts';

const s = fileProduct({ env: { COIN_LIMIT: '20' } });
const admin = member(s, 'ann', 'admin');
let told: string[];
beforeAll(async () => {
  told = [];
  s.product.analysis.ctx.live.on(collectionTopic, ({ step, state, note }) => {
    told.push(`${step} ${state}${note ? `: ${note}` : ''}`);
  });
});

const CALLS = ['/api/ai-analysis', '/api/collect-data'] as const;
const JOB = { '/api/ai-analysis': 'analysis.run', '/api/collect-data': 'market.collect' } as const;

describe.each(CALLS)('POST %s', (path) => {
  test('200: starts, and a second call joins it, even one that declares JSON without a body', async () => {
    expect((await admin.post(path)).json()).toEqual({ status: 'started' });
    expect((await admin.post(path)).json()).toEqual({ status: 'running' });
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
    const empty = await s.product.app.inject({ method: 'POST', url: path, headers });
    expect([empty.statusCode, empty.json()]).toEqual([200, { status: 'running' }]);
    expect(await s.product.scheduler.waiting(JOB[path])).toHaveLength(1);
  });
});

describe('the steps of a collection', () => {
  const settled = () => expect.poll(() => told.at(-1), { timeout: 10_000 });

  test('an analysis without any data fails and states why', async () => {
    await expect(s.job('analysis.run')).rejects.toMatchObject({ code: 'unavailable' });
    await settled().toBe('analysis failed: Prices and history of the five assets are not available yet');
    expect(told).toEqual(['analysis running', told.at(-1)]);
  });

  test('a full collection reports its market, then its analysis', async () => {
    await collectMarket(s);
    told.length = 0;
    await s.job('market.collect');
    s.advance(60_000);
    await s.job('analysis.run');
    await settled().toBe('analysis complete');
    expect(told).toEqual(['market running', 'market complete', 'analysis running', 'analysis complete']);
  });

  test('a requested collection gets a fresh list, however recent the last one is', async () => {
    const read = () => s.sandbox.faults.requests('coingecko', '/coins/markets');
    await s.job('market.listing');
    const before = read();
    await s.job('market.collect');
    expect(read()).toBe(before);
    s.advance(20_000);
    const [payload] = await s.product.scheduler.waiting('market.collect');
    await s.job('market.collect', payload);
    expect(read()).toBeGreaterThan(before);
    expect((await s.get('/api/dashboard')).json().lastCollectionTime).toBe(s.clock.now().toISOString());
  });

  test('a failed collection reports it', async () => {
    told.length = 0;
    s.advance(60_000);
    for (const provider of ['coingecko', 'coinpaprika', 'okx'])
      s.sandbox.faults.set({ provider, kind: 'server_error' });
    await expect(s.job('market.collect')).rejects.toThrow();
    s.sandbox.faults.clear();
    await settled().toMatch(/^market failed: No source returned a price list/);
  });
});
