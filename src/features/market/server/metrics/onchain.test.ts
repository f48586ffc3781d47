import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Layer1Data, layer1Data } from '#features/market/contract/layer1.ts';
import {
  type AdvancedMetrics,
  advancedMetrics,
  onchainReply,
  sentimentReading,
} from '#features/market/contract/metrics.ts';
import { type SourceList, sourceList } from '#features/operations/contract/sources.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

let s: TestProduct;
const read = async <T>(path: string): Promise<T> => (await s.get(path)).json();
const advanced = () => read<AdvancedMetrics>('/api/advanced-metrics');
const source = async (id: string) => (await read<SourceList>('/api/sources')).sources.find((each) => each.id === id);
const sourceOf = (meta: FigureMeta | undefined) => (meta && 'source' in meta ? meta.source : undefined);

async function collect(): Promise<void> {
  await s.job('market.listing');
  await s.job('metrics.listing');
  await s.job('metrics.slow');
  await s.job('metrics.blocks');
}

const stored = () =>
  s.product.metrics.ctx.db
    .selectFrom('metric_observations')
    .selectAll()
    .orderBy('metric')
    .orderBy('source')
    .orderBy('observed_at')
    .execute();

describe('a first hour with every source up', () => {
  beforeAll(async () => {
    s = await start();
    await collect();
    await s.job('metrics.backfill');
  });
  afterAll(() => s.stop());

  test('every response keeps its contract: each figure with its provenance, each null with its reason', async () => {
    advancedMetrics.parse(await advanced());
    onchainReply.parse(await read('/api/onchain'));
    sentimentReading.parse(await read('/api/market-sentiment'));
    layer1Data.parse(await read('/api/layer1-data'));
    sourceList.parse(await read('/api/sources'));
  });

  test('global figures, stablecoins, flows, sentiment and the Bitcoin network have values and sources', async () => {
    const { totalMarketCap, bitcoinDominance, stablecoinMetrics, exchangeFlows, marketSentiment, onchain, history } =
      await advanced();
    expect(sourceOf(totalMarketCap.meta['value'])).toBe('CoinGecko');
    expect(totalMarketCap.change_24h).not.toBeNull();
    expect(bitcoinDominance.value).toBeGreaterThan(30);
    expect(sourceOf(stablecoinMetrics.meta['totalMarketCap'])).toBe('DefiLlama stablecoins');
    expect(stablecoinMetrics.change_24h).not.toBeNull();
    expect(stablecoinMetrics.ssr).toBeGreaterThan(1);
    for (const flow of [exchangeFlows.btc, exchangeFlows.eth]) {
      expect(flow.netFlow).not.toBeNull();
      expect(flow.meta['netFlow']).toMatchObject({ venues: expect.arrayContaining(['Binance', 'OKX', 'Kraken']) });
      expect([flow.inflow, flow.outflow]).toEqual([null, null]);
      expect(flow.meta['inflow']).toMatchObject({ reason: expect.stringContaining('COINMETRICS_LICENSED') });
    }
    expect(marketSentiment.score).not.toBeNull();
    expect(onchain.hashRate.value).toBeGreaterThan(2 ** 53);
    expect(onchain.hashRate.metadata.network_health).not.toBeNull();
    expect(onchain.activeAddresses.value).toBeGreaterThan(100_000);
    expect(onchain.whaleTransactions.meta['value']).toMatchObject({ collectedHours: 1, venues: ['Blockchain.com'] });
    for (const metric of ['stablecoins.supply', 'flow.btc.net', 'flow.eth.net', 'fear_greed', 'hash_rate'])
      expect(history[metric]?.length, metric).toBeGreaterThanOrEqual(29);
  });

  test('net flow is the global reserve gain on the last full day', async () => {
    const { exchangeFlows } = await advanced();
    const rows = (await stored()).filter(({ metric }) => metric === 'reserve.btc');
    const valueAt = (day: string) => rows.find((row) => row.observed_at === `2026-11-${day}T00:00:00.000Z`)?.value ?? 0;
    expect(exchangeFlows.btc.netFlow).toBeCloseTo(valueAt('20') - valueAt('19'), 4);
  });

  test('the five tracked chains have their rate; what is not counted states so', async () => {
    const { chains } = await read<Layer1Data>('/api/layer1-data');
    const paces = chains.slice(0, 5).map(({ id, tps }) => [id, tps === null ? null : Math.sign(tps)]);
    expect(paces).toEqual(['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'].map((id) => [id, 1]));
    expect(chains[0]?.active_addresses).toBeGreaterThan(0);
    expect(chains[1]?.meta['active_addresses']).toMatchObject({
      reason: expect.stringContaining('COINMETRICS_LICENSED=1'),
    });
    expect(chains[5]?.meta['tps']).toMatchObject({ reason: expect.stringContaining('No free source') });
  });

  test('every source shows its origin, its license and its results', async () => {
    for (const id of ['llama', 'stablecoins-llama', 'mempool', 'blockchain-info', 'solana-rpc', 'xrpl']) {
      const found = await source(id);
      expect(found, id).toMatchObject({ state: 'ok', day: { success_rate: 100 } });
      expect(found?.licence.length, id).toBeGreaterThan(10);
    }
    expect(await source('coinmetrics')).toMatchObject({ state: 'key_missing', day: { calls: 0 } });
  });

  test('history is filled once: neither another run nor one an hour later changes anything', async () => {
    const before = await stored();
    await s.job('metrics.backfill');
    expect(await stored()).toEqual(before);
    await s.product.metrics.ctx.db.deleteFrom('metric_backfills').execute();
    await s.job('metrics.backfill');
    expect((await stored()).length).toBe(before.length);
  });

  test('blocks are counted once, and the day fills from both ends', async () => {
    s.advance(30 * 60_000);
    const asked = () => s.sandbox.faults.requests('blockchain-info', '/rawblock/*');
    const before = asked();
    await s.job('metrics.blocks');
    const rows = (await stored()).filter(({ metric }) => metric === 'venue.whales.count');
    const heights = rows.map(({ detail }) => (detail as { height: number }).height);
    expect(asked() - before).toBe(6);
    expect(rows).toHaveLength(12);
    expect(new Set(heights).size).toBe(12);
    expect(Math.max(...heights) - Math.min(...heights)).toBe(11);
    const { whaleTransactions } = (await advanced()).onchain;
    expect(whaleTransactions.value).toBe(rows.reduce((sum, { value }) => sum + value, 0));
    expect(whaleTransactions.meta['value']).toMatchObject({ collectedHours: 2 });
  });
});
