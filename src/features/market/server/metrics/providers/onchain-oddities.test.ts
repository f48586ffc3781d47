import { describe, expect, test } from 'vitest';

import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { shared } from '#tests/support/for-file.ts';
import { AT, askAt, type Bodies, type Body, clientOf, startBodies } from '../fixtures/bodies.ts';
import type { MetricSource } from '../types.ts';
import { activeAddresses, blockchainCharts, blockchainInfo, networkStats, whaleBlocks } from './blockchain-info.ts';
import { coinmetrics, coinmetricsFlows } from './coinmetrics.ts';
import { coingeckoGlobal, coinpaprikaGlobal } from './global-market.ts';
import { exchangeReserves, llama } from './llama.ts';
import { bitcoinNetwork, mempool } from './mempool.ts';
import { ethereumNetwork, ethereumRpc, solanaNetwork, solanaRpc } from './node-rpc.ts';
import { stablecoinSupply, stablecoinsLlama } from './stablecoins-llama.ts';
import { suiGraphql, suiNetwork } from './sui-graphql.ts';
import { xrpLedger, xrpl } from './xrpl.ts';

type Source = Pick<SourceDescriptor, 'options'>;
const plain = (key: 'COINGECKO_BASE_URL' | 'COINPAPRIKA_BASE_URL'): Source => ({
  options: (config) => ({ baseUrl: config[key], perMinute: 600, burst: 10 }),
});
const ALL: [string, Source, MetricSource][] = [
  ['CoinGecko', plain('COINGECKO_BASE_URL'), coingeckoGlobal],
  ['CoinPaprika', plain('COINPAPRIKA_BASE_URL'), coinpaprikaGlobal],
  ['DefiLlama stablecoins', stablecoinsLlama, stablecoinSupply],
  ['DefiLlama', llama, exchangeReserves],
  ['Coin Metrics', coinmetrics, coinmetricsFlows],
  ['mempool.space', mempool, bitcoinNetwork],
  ['Blockchain.com charts', blockchainCharts, activeAddresses],
  ['Blockchain.com stats', blockchainCharts, networkStats],
  ['Blockchain.com', blockchainInfo, whaleBlocks],
  ['Ethereum', ethereumRpc, ethereumNetwork],
  ['Solana', solanaRpc, solanaNetwork],
  ['Sui', suiGraphql, suiNetwork],
  ['XRP Ledger', xrpl, xrpLedger],
];

const bodies = shared(startBodies);

function read(source: Source, adapter: MetricSource, reply: Parameters<Bodies['answer']>[0]) {
  bodies.answer(reply);
  return adapter.read(clientOf(bodies, source), askAt());
}
const always =
  (body: unknown, status = 200) =>
  (): Body => ({ body, status });

describe.each(ALL)('%s', (_name, source, adapter) => {
  test.each<[string, Body]>([
    ['an empty object', { body: {} }],
    ['null', { body: null }],
    ['a list where an object was due, and the other way round', { body: [null] }],
    [
      'an error body under 200',
      { body: { id: 1, error: { code: -32_603, message: 'Internal error' }, message: 'Internal' } },
    ],
  ])('%s: an error or null, never a number', async (_what, body) => {
    const found = await read(source, adapter, () => body).catch((error: unknown) => error);
    if (found instanceof Error) expect(found).toBeInstanceOf(SourceError);
    else expect(found).toEqual([]);
  });

  test('429: rate limited', async () => {
    if (adapter === xrpLedger) return;
    await expect(read(source, adapter, always({}, 429))).rejects.toMatchObject({ kind: 'rate_limited' });
  });
});

describe('global figures', () => {
  const data = {
    total_market_cap: { usd: 2.7e12 },
    total_volume: { usd: 0 },
    market_cap_percentage: { btc: null },
    market_cap_change_percentage_24h_usd: null,
    updated_at: AT.getTime() / 1000 - 60,
  };

  test('zeros and nulls mean unknown', async () => {
    const rows = await read(plain('COINGECKO_BASE_URL'), coingeckoGlobal, always({ data }));
    expect(rows).toEqual([{ metric: 'market.cap', value: 2.7e12, observedAt: new Date(AT.getTime() - 60_000) }]);
  });

  test('CoinPaprika: the same, and a time ahead of ours is set to ours', async () => {
    const body = {
      market_cap_usd: 2.7e12,
      volume_24h_usd: null,
      bitcoin_dominance_percentage: 58.1,
      last_updated: 4e9,
    };
    expect(await read(plain('COINPAPRIKA_BASE_URL'), coinpaprikaGlobal, always(body))).toEqual([
      { metric: 'market.cap', value: 2.7e12, observedAt: AT },
      { metric: 'dominance.btc', value: 58.1, observedAt: AT },
    ]);
  });
});

describe('stablecoins', () => {
  const coin = (now: unknown, before: unknown, pegType = 'peggedUSD') => ({
    pegType,
    circulating: { [pegType]: now },
    circulatingPrevDay: before,
  });

  test('euros are not dollars; a coin without a value for yesterday is no inflow', async () => {
    const peggedAssets = [
      coin(110, { peggedUSD: 100 }),
      coin(50, null),
      coin(40, []),
      coin(null, { peggedUSD: 3 }),
      coin(900, { peggedEUR: 1 }, 'peggedEUR'),
    ];
    const [row, ...more] = await read(stablecoinsLlama, stablecoinSupply, always({ peggedAssets }));
    expect(more).toEqual([]);
    expect(row).toMatchObject({ metric: 'stablecoins.supply', value: 200, undated: true });
    expect(row?.detail?.['change_24h']).toBeCloseTo(10, 9);
  });

  test('history: dates are strings of seconds, days without dollars are omitted', async () => {
    bodies.answer(
      always([
        { date: '1700000000', totalCirculating: { peggedUSD: 120e9 } },
        { date: '1700086400', totalCirculating: { peggedEUR: 3e8 } },
        { date: '1700172800', totalCirculating: null },
      ]),
    );
    expect(await stablecoinSupply.past?.(clientOf(bodies, stablecoinsLlama), new Date(0), askAt())).toEqual([
      { metric: 'stablecoins.supply', value: 120e9, observedAt: new Date(1_700_000_000_000) },
    ]);
  });
});

describe('exchange reserves', () => {
  const midnight = Date.UTC(2026, 10, 20) / 1000;
  const day = (back: number, BTC: number | null | undefined, ETH: number | null = 1000) => ({
    date: midnight - back * 86_400,
    tokens: { ...(BTC === undefined ? {} : { BTC }), ETH },
  });
  const flows = async (bySlug: Record<string, object[]>) => {
    const rows = await read(llama, exchangeReserves, ({ path }) => {
      const tokens = bySlug[path.replace('/protocol/', '')];
      return tokens && { body: { tokens } };
    });
    return rows.filter(({ metric }) => metric === 'flow.btc.net');
  };

  test('sums only exchanges that have both days, and names them', async () => {
    const found = await flows({
      okx: [day(1, 100), day(0, 104)],
      'binance-cex': [day(1, 600, 2), { date: midnight + 1, tokens: { BTC: 590, ETH: 3 } }, day(-0.5, 700)],
      bybit: [day(1, undefined), day(0, 50)],
      kraken: [day(2, 70), day(0, 80)],
      bitfinex: [day(1, 0), day(0, 300)],
    });
    expect(found).toMatchObject([{ value: -6, observedAt: new Date(midnight * 1000) }]);
    expect(found[0]?.detail?.venues?.toSorted()).toEqual(['Binance', 'OKX']);
  });

  test('a row carried over from the day before is not zero; newly counted wallets are no inflow', async () => {
    const found = await flows({ okx: [day(1, 100), day(0, 100)], 'binance-cex': [day(1, 600), day(0, 900)] });
    expect(found).toEqual([]);
    const [flow] = await flows({
      bitfinex: [day(0, 9)],
      okx: [day(1, 100), day(0, 101)],
      'binance-cex': [day(1, 600), day(0, 900)],
    });
    expect(flow?.value).toBe(1);
    expect(flow?.detail?.terms).toContain('excludes Binance');
  });
});

describe('Coin Metrics', () => {
  const time = '2026-11-18T00:00:00.000000000Z';

  test('strings become numbers; null, an absent metric and a dash give nothing', async () => {
    const data = [
      { asset: 'btc', time, FlowInExNtv: '31234.56789012345678', FlowOutExNtv: null },
      { asset: 'eth', time, FlowInExNtv: '-', FlowOutExNtv: '12' },
      { asset: 'eth', time: 'soon', FlowOutExNtv: '12' },
    ];
    const rows = await read(coinmetrics, coinmetricsFlows, always({ data }));
    expect(rows.filter(({ metric }) => metric.startsWith('flow')).slice(0, 2)).toEqual([
      { metric: 'flow.btc.in', value: 31_234.567_890_123_457, observedAt: new Date('2026-11-18') },
      { metric: 'flow.eth.out', value: 12, observedAt: new Date('2026-11-18') },
    ]);
  });

  test('paging follows the token, whatever the address of the next page', async () => {
    const rows = await read(coinmetrics, coinmetricsFlows, ({ query }) => {
      if (query.get('metrics') === 'AdrActCnt') return { status: 403, body: { error: { type: 'forbidden' } } };
      const second = query.get('next_page_token') === 'two';
      return {
        body: {
          data: [{ asset: 'btc', time, [second ? 'FlowOutExNtv' : 'FlowInExNtv']: second ? '2' : '1' }],
          ...(second ? {} : { next_page_url: 'https://elsewhere.example/v4?next_page_token=two' }),
        },
      };
    });
    expect(rows.map(({ metric, value }) => [metric, value])).toEqual([
      ['flow.btc.in', 1],
      ['flow.btc.out', 2],
    ]);
  });

  test('off unless the operator has a license', () => {
    expect(coinmetrics.off?.({ COINMETRICS_LICENSED: false } as never)).toMatch(/license/);
    expect(coinmetrics.off?.({ COINMETRICS_LICENSED: true } as never)).toBeNull();
  });
});

describe('Bitcoin', () => {
  test('mempool.space: a dead half costs only itself, nulls give nothing', async () => {
    const rates = { hashrates: null, difficulty: [], currentHashrate: 1.1e21, currentDifficulty: null };
    const rows = await read(mempool, bitcoinNetwork, ({ path }) =>
      path.includes('hashrate') ? { body: rates } : { status: 502, body: 'Bad Gateway' },
    );
    expect(rows).toEqual([{ metric: 'hash_rate', value: 1.1e21, observedAt: AT }]);
  });

  test('Blockchain.com stats: GH/s become H/s beyond 2^53, a null or a zero gives nothing, a time ahead is now', async () => {
    const timestamp = AT.getTime() + 60_000;
    const rows = await read(blockchainCharts, networkStats, always({ timestamp, hash_rate: 1.1e12, difficulty: null }));
    expect(rows).toEqual([
      { metric: 'hash_rate', value: 1.1e21, observedAt: AT, detail: { terms: 'Average of the last 24 hours' } },
    ]);
    expect(await read(blockchainCharts, networkStats, always({ timestamp, hash_rate: 0 }))).toEqual([]);
    await expect(read(blockchainCharts, networkStats, always({ timestamp, hash_rate: '1.1e12' }))).rejects.toThrow();
  });

  test('active addresses: zero means the day was not counted', async () => {
    const x = Date.UTC(2026, 10, 18) / 1000;
    const values = [
      { x: x - 86_400, y: 0 },
      { x, y: 650_000 },
      { x: x + 86_400, y: null },
    ];
    expect(await read(blockchainCharts, activeAddresses, always({ status: 'ok', values }))).toEqual([
      { metric: 'addresses.btc.active', value: 650_000, observedAt: new Date(x * 1000) },
    ]);
  });
});
