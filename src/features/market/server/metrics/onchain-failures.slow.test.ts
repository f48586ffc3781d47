import { afterEach, beforeEach, expect, test } from 'vitest';

import { layer1Data } from '#features/market/contract/layer1.ts';
import { type AdvancedMetrics, advancedMetrics, onchainReply } from '#features/market/contract/metrics.ts';
import type { SourceList } from '#features/operations/contract/sources.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let s: TestProduct;
beforeEach(async () => {
  s = await start();
  // Reading whole blocks is slow, and only one of these tests is about them.
  s.sandbox.faults.set({ kind: 'server_error', provider: 'blockchain-info' });
});
afterEach(() => s.stop());

const advanced = async (): Promise<AdvancedMetrics> => (await s.get('/api/advanced-metrics')).json();
const stateOf = async (id: string) =>
  (await s.get('/api/sources')).json<SourceList>().sources.find((each) => each.id === id)?.state;
const born = (meta: FigureMeta | undefined) => {
  if (!meta || !('source' in meta)) throw new Error(`There is no figure: ${meta?.reason}`);
  return meta;
};
const isStale = (meta: FigureMeta | undefined, at: string) => born(meta).staleAfter < at;

async function collect(): Promise<void> {
  await s.job('market.listing');
  await s.job('metrics.listing');
  await s.job('metrics.slow');
}

test('a dead source never blanks what another can fill: CoinGecko, then CoinPaprika, then our own sum', async () => {
  await collect();
  const seen = [];
  for (const dead of ['none', 'coingecko', 'coinpaprika']) {
    s.sandbox.faults.set({ kind: 'server_error', provider: dead, path: '/global' });
    s.advance(30 * MINUTE);
    await s.job('market.listing');
    await s.job('metrics.listing');
    const { totalMarketCap, bitcoinDominance } = await advanced();
    expect(totalMarketCap.value).toBeGreaterThan(1e11);
    expect(bitcoinDominance.value).toBeGreaterThan(10);
    seen.push(born(totalMarketCap.meta['value']).source);
  }
  expect(seen).toEqual(['CoinGecko', 'CoinPaprika', 'Meridian']);
});

test('sources with unchanging answers turn stale within their contracts, and recover', async () => {
  const ids = ['mempool', 'stablecoins-llama', 'solana-rpc', 'xrpl'];
  const frozen = [...ids.map((id) => id.replace('-rpc', '')), 'blockchain-charts'];
  const look = async () => {
    const { onchain, stablecoinMetrics, timestamp } = await advanced();
    const { chains } = layer1Data.parse((await s.get('/api/layer1-data')).json());
    const metas = [
      onchain.hashRate.meta['value'],
      stablecoinMetrics.meta['totalMarketCap'],
      chains[2]?.meta['tps'],
      chains[4]?.meta['tps'],
    ];
    return {
      stale: metas.map((meta) => isStale(meta, timestamp)),
      states: await Promise.all(ids.map((id) => stateOf(id))),
    };
  };
  const all = <T>(value: T) => ids.map(() => value);
  await collect();
  for (const provider of frozen) s.sandbox.faults.set({ kind: 'stale', provider });
  s.advance(HOUR);
  await s.job('metrics.slow');
  expect(await look()).toEqual({ stale: all(false), states: all('ok') });
  s.advance(2 * HOUR);
  await s.job('metrics.slow');
  expect(await look()).toEqual({ stale: [true, false, true, true], states: ['stale', 'ok', 'stale', 'stale'] });
  s.advance(4 * HOUR);
  await s.job('metrics.slow');
  expect(await look()).toEqual({ stale: all(true), states: all('stale') });
  for (const provider of frozen) s.sandbox.faults.clear(provider);
  await s.job('metrics.slow');
  expect(await look()).toEqual({ stale: all(false), states: all('ok') });
}, 60_000);

test('mempool.space is down: hash rate and difficulty come from Blockchain.com, then switch back', async () => {
  await collect();
  const look = async () => {
    const { hashRate } = (await advanced()).onchain;
    expect(hashRate.value).toBeGreaterThan(2 ** 53);
    expect(hashRate.metadata.difficulty).toBeGreaterThan(1e13);
    return [born(hashRate.meta['value']).source, born(hashRate.metadata.meta['difficulty']).source];
  };
  expect(await look()).toEqual(['mempool.space', 'mempool.space']);
  s.sandbox.faults.set({ kind: 'server_error', provider: 'mempool' });
  s.advance(3 * HOUR);
  await s.job('metrics.slow');
  expect(await look()).toEqual(['Blockchain.com charts', 'Blockchain.com charts']);
  s.sandbox.faults.clear('mempool');
  await s.job('metrics.slow');
  expect(await look()).toEqual(['mempool.space', 'mempool.space']);
}, 60_000);

test('Blockchain.com returns no blocks: mempool.space counts the same ones, each once', async () => {
  const { db } = s.product.metrics.ctx;
  const counts = async () => {
    const rows = await db
      .selectFrom('metric_observations')
      .selectAll()
      .where('metric', 'like', 'venue.whales.%')
      .orderBy('metric')
      .execute();
    return rows.map(({ metric, source, value, detail }) => ({ metric, source, value, block: detail?.['height'] }));
  };
  await s.job('market.listing');
  await s.job('metrics.blocks');
  expect(await counts()).toEqual([]);
  s.advance(30 * MINUTE);
  await s.job('metrics.blocks');
  const fallback = await counts();
  expect(fallback).toHaveLength(3);
  expect((await advanced()).onchain.whaleTransactions).toMatchObject({
    value: fallback[0]?.value,
    meta: { value: { venues: ['mempool.space'], collectedHours: 0.2 } },
  });
  await db.deleteFrom('metric_observations').where('metric', 'like', 'venue.whales.%').execute();
  s.sandbox.faults.clear();
  await s.job('metrics.blocks');
  const first = (await counts()).filter(({ block }) => block === fallback[0]?.block);
  expect(first).toEqual(fallback.map((row) => ({ ...row, source: 'blockchain-info' })));
  const asked = s.sandbox.faults.requests('mempool', '/api/block/*');
  s.advance(20 * MINUTE);
  await s.job('metrics.blocks');
  expect(s.sandbox.faults.requests('mempool', '/api/block/*')).toBe(asked);
}, 120_000);

test.each(['nulls', 'error_200'] as const)(
  'all sources return %s: nulls with reasons, no zero, no crash',
  async (kind) => {
    await s.job('market.listing');
    s.sandbox.faults.set({ kind, provider: '*' });
    await s.job('metrics.listing');
    await s.job('metrics.slow');
    const { onchain, exchangeFlows, stablecoinMetrics } = advancedMetrics.parse(await advanced());
    onchainReply.parse((await s.get('/api/onchain')).json());
    const { chains } = layer1Data.parse((await s.get('/api/layer1-data')).json());
    const numbers = [
      onchain.hashRate.value,
      onchain.activeAddresses.value,
      exchangeFlows.btc.netFlow,
      stablecoinMetrics.totalMarketCap,
      ...chains.map(({ tps }) => tps),
    ];
    for (const value of numbers) expect(value === null || value > 0).toBe(true);
  },
  60_000,
);

test('exchange reserves, some 200 MB, are read once a day', async () => {
  s.advance(24 * 3_600_000);
  await s.job('metrics.slow');
  const asked = s.sandbox.faults.requests('llama');
  for (const hours of [6, 12, 18]) {
    s.advance(6 * 3_600_000);
    await s.job('metrics.slow');
    expect([hours, s.sandbox.faults.requests('llama')]).toEqual([hours, asked]);
  }
  s.advance(6 * 3_600_000);
  await s.job('metrics.slow');
  expect(s.sandbox.faults.requests('llama')).toBeGreaterThan(asked);
});

test('unreadable history is read by the next run, and nothing else is requested again', async () => {
  const marks = async () =>
    (await s.product.metrics.ctx.db.selectFrom('metric_backfills').select('source').execute()).map((row) => row.source);
  s.sandbox.faults.set({ kind: 'server_error', provider: 'mempool' });
  await expect(s.job('metrics.backfill')).rejects.toThrow(/mempool/);
  expect(await marks()).toContain('llama');
  expect(await marks()).not.toContain('mempool');
  s.sandbox.faults.clear();
  const asked = s.sandbox.faults.requests('llama');
  await s.job('metrics.backfill');
  expect(await marks()).toContain('mempool');
  expect(s.sandbox.faults.requests('llama')).toBe(asked);
  const rows = await s.product.metrics.ctx.db
    .selectFrom('metric_observations')
    .select('observed_at')
    .where('metric', '=', 'hash_rate')
    .execute();
  expect(rows.length).toBeGreaterThan(390);
});

test('a gap of several days is filled from history', async () => {
  await s.job('metrics.backfill');
  s.advance(5 * 24 * HOUR);
  await s.job('metrics.backfill');
  const rows = await s.product.metrics.ctx.db
    .selectFrom('metric_observations')
    .select('observed_at')
    .where('metric', '=', 'flow.btc.net')
    .orderBy('observed_at', 'desc')
    .limit(8)
    .execute();
  expect(rows.map(({ observed_at }) => observed_at.slice(5, 10))).toEqual(
    Array.from({ length: 8 }, (_, i) => `11-${25 - i}`),
  );
});

test('a license holder sees gross flows and the Ethereum addresses of Coin Metrics', async () => {
  await s.stop();
  s = await start({ env: { COINMETRICS_LICENSED: '1' } });
  await collect();
  const { exchangeFlows } = advancedMetrics.parse(await advanced());
  for (const flow of [exchangeFlows.btc, exchangeFlows.eth]) {
    expect(flow.inflow).toBeGreaterThan(0);
    expect(flow.outflow).toBeGreaterThan(0);
    expect(born(flow.meta['inflow']).source).toBe('Coin Metrics');
  }
  const ethereum = layer1Data.parse((await s.get('/api/layer1-data')).json()).chains[1];
  expect(ethereum?.active_addresses).toBeGreaterThan(100_000);
  expect(born(ethereum?.meta['active_addresses']).source).toBe('Coin Metrics');
  expect(await stateOf('coinmetrics')).toBe('ok');
});
