import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { shared } from '#tests/support/for-file.ts';
import { AT, askAt, type Body, clientOf, startBodies } from '../fixtures/bodies.ts';
import type { MetricSource } from '../types.ts';
import { alternativeMe, fearAndGreed } from './alternative-me.ts';
import { coinmetrics, coinmetricsFlows } from './coinmetrics.ts';
import { coingeckoGlobal } from './global-market.ts';
import { bitcoinNetwork, mempool, mempoolWhales } from './mempool.ts';
import { solanaNetwork, solanaRpc } from './node-rpc.ts';
import { xrpLedger, xrpl } from './xrpl.ts';

const DIR = process.env.RECORDINGS_DIR ?? resolve(import.meta.dirname, '../../../../../../../shared/data');
const HAS_RECORDINGS = existsSync(DIR);
if (!HAS_RECORDINGS)
  console.warn(`SKIPPED: no recordings of real providers in ${DIR}, on-chain adapters are proved by the sandbox alone`);

const text = (file: string) => readFileSync(resolve(DIR, file), 'utf8');
const json = (file: string): unknown => JSON.parse(text(file));

/** The market declares CoinGecko; here only its refusals matter. */
const coingecko: Pick<SourceDescriptor, 'options'> = {
  options: ({ COINGECKO_BASE_URL }) => ({ baseUrl: COINGECKO_BASE_URL, perMinute: 600, burst: 10 }),
};

describe.skipIf(!HAS_RECORDINGS)('on-chain adapters on real recorded responses', () => {
  const bodies = shared(startBodies);

  const readWith = (source: Pick<SourceDescriptor, 'options'>, adapter: MetricSource, body: Body) => {
    bodies.answer(() => body);
    return adapter.read(clientOf(bodies, source), askAt());
  };

  test.each([
    ['2021, with a cap of every currency', 'coingecko/vcr-2021/global_crypto_data.json'],
    ['2026, the example of its own description', 'coingecko/oas-examples/global.json'],
  ])('CoinGecko /global of %s: every figure as recorded', async (_what, file) => {
    const { body } = json(file) as { body: { data: Record<string, Record<string, number>> & { updated_at: number } } };
    const rows = await readWith(coingecko, coingeckoGlobal, { body });
    const observedAt = new Date(body.data.updated_at * 1000);
    expect(rows).toEqual([
      {
        metric: 'market.cap',
        value: body.data['total_market_cap']?.['usd'],
        observedAt,
        detail: { change_24h: body.data['market_cap_change_percentage_24h_usd'] },
      },
      { metric: 'market.volume', value: body.data['total_volume']?.['usd'], observedAt },
      { metric: 'dominance.btc', value: body.data['market_cap_percentage']?.['btc'], observedAt },
    ]);
  });

  test('a recorded CoinGecko rejection is an error, under 429 and in place of a global response', async () => {
    const { _http, body } = json('errors/coingecko-429.json') as { _http: { status: number }; body: unknown };
    await expect(readWith(coingecko, coingeckoGlobal, { status: _http.status, body })).rejects.toMatchObject({
      kind: 'rate_limited',
    });
    await expect(readWith(coingecko, coingeckoGlobal, { body })).rejects.toBeInstanceOf(SourceError);
  });

  test('Fear and greed, every recorded day of 2025 and 2026', async () => {
    const rows = text('fear-greed/alternative-me-daily-2025-10_2026-04.csv').trim().split('\n').slice(1);
    const data = rows.map((row) => {
      const [date = '', value = '', classification = ''] = row.split(',');
      return { value, value_classification: classification, timestamp: String(Date.parse(date) / 1000) };
    });
    bodies.answer(() => ({ body: { data } }));
    const found = await fearAndGreed.past?.(clientOf(bodies, alternativeMe), new Date('2025-01-01'), askAt());
    expect(found?.length).toBeGreaterThan(150);
    expect(found?.map(({ value }) => String(value))).toEqual(data.map(({ value }) => value));
  });

  test('mempool.space: a recorded transaction counts its payments without change', async () => {
    const recorded = json('mempool/tx02_api_tx.json') as { vout: { scriptpubkey_address: string; value: number }[] };
    const change = { ...recorded.vout[0], value: 2_000_000_000 };
    const large = { ...recorded, vout: [change, { ...change, scriptpubkey_address: '1someone' }] };
    const [block] = (json('mempool/docs-get-blocks.json') as { body: { tx_count: number }[] }).body;
    const timestamp = AT.getTime() / 1000 - 60;
    const txs = [{ vin: [{ is_coinbase: true, prevout: null }], vout: large.vout }, large, recorded];
    bodies.answer(({ path }) =>
      path.endsWith('/api/v1/blocks') ? { body: [{ ...block, timestamp, tx_count: txs.length }] } : { body: txs },
    );
    const client = clientOf(bodies, mempool);
    const past = { ...askAt(), now: new Date(AT.getTime() - 30 * 60_000) };
    expect(await mempoolWhales.read(client, past)).toEqual([]);
    const rows = await mempoolWhales.read(client, askAt());
    expect(rows.map(({ metric, value }) => [metric, value])).toEqual([
      ['venue.whales.count', 1],
      ['venue.whales.large', 0],
      ['venue.whales.deposits', 0],
    ]);
  });

  test('mempool.space: hash rates above 2^53, times in seconds, the rate of recorded blocks', async () => {
    const { body: rates } = json('mempool/docs-get-hashrate.json') as { body: Record<string, never> };
    const { body: blocks } = json('mempool/docs-get-blocks.json') as { body: { height: number }[] };
    bodies.answer(({ path }) => ({ body: path.startsWith('/api/v1/blocks') ? blocks : rates }));
    const client = clientOf(bodies, mempool);
    const observedAt = new Date(1_648_829_449_000);
    expect(await bitcoinNetwork.read(client, askAt())).toEqual([
      { metric: 'hash_rate', value: 252_033_247_355_212_300_000, observedAt },
      { metric: 'difficulty', value: 31_251_101_365_711.12, observedAt },
    ]);
    const past = await bitcoinNetwork.past?.(client, new Date('2022-05-15T00:00:00Z'), askAt());
    expect(past).toEqual([
      { metric: 'hash_rate', value: 217_473_276_787_331_300_000, observedAt: new Date(1_652_572_800_000) },
      { metric: 'hash_rate', value: 189_877_203_506_913_000_000, observedAt: new Date(1_652_659_200_000) },
    ]);
  });

  test('mempool.space: a block of 2025 as sent by its socket, twelve times over', async () => {
    const { block } = json('mempool/tx02_ws_block.json') as {
      block: { height: number; timestamp: number; tx_count: number };
    };
    const blocks = Array.from({ length: 12 }, (_, i) => ({
      ...block,
      height: block.height - i,
      timestamp: block.timestamp - 600 * i,
    }));
    bodies.answer(({ path }) => {
      if (path === '/api/v1/blocks') return { body: blocks };
      return path.startsWith('/api/v1/blocks/') ? { body: blocks.slice(-1) } : { body: {} };
    });
    const rows = await bitcoinNetwork.read(clientOf(bodies, mempool), askAt());
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value).toBeCloseTo(block.tx_count / 600, 9);
  });

  test('Solana: non-vote transactions of a recorded sample', async () => {
    const body = json('solana/getRecentPerformanceSamples.json');
    const rows = await readWith(solanaRpc, solanaNetwork, { body });
    expect(rows).toMatchObject([{ metric: 'l1.solana.tps', value: 65_191 / 60, undated: true }]);
  });

  test('XRP Ledger: a recorded response to another request is an error, not a number', async () => {
    const recorded = json('xrpl/server_info-testnet-2026-09.json') as object;
    await expect(readWith(xrpl, xrpLedger, { body: { id: 1, ...recorded } })).rejects.toMatchObject({ kind: 'body' });
  });

  test.each(['btc', 'eth'])('Coin Metrics: every recorded day of active addresses on %s', async (asset) => {
    const [header = '', ...lines] = text(`coinmetrics/csv-2021/${asset}.csv`).trim().split('\n');
    const column = header.split(',').indexOf('AdrActCnt');
    const data = lines.map((line) => {
      const cells = line.split(',');
      return { asset, time: `${cells[0]}T00:00:00.000000000Z`, AdrActCnt: cells[column] || null };
    });
    bodies.answer(({ query }) => ({ body: { data: query.get('metrics') === 'AdrActCnt' ? data : [] } }));
    const found = await coinmetricsFlows.past?.(clientOf(bodies, coinmetrics), new Date(0), askAt());
    const known = data.filter(({ AdrActCnt }) => AdrActCnt !== null);
    expect(known.length).toBeGreaterThan(100);
    expect(found?.map(({ value }) => value)).toEqual(known.map(({ AdrActCnt }) => Number(AdrActCnt)));
    expect(found?.[0]?.observedAt.toISOString()).toBe(known[0]?.time.replace('.000000000Z', '.000Z'));
  });
});
