import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/market/sources.ts';
import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { readFrames } from '#sandbox/replay.ts';
import { shared } from '#tests/support/for-file.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import { askAt } from '../fixtures/bodies.ts';
import { METRIC_ADAPTERS, METRIC_SOURCES } from '../sources.ts';
import type { Observation } from '../types.ts';
import { binanceStream, bybitStream, okxStream } from './forced-closes.ts';
import { okxContractSizes, okxPastCloses } from './okx.ts';

const DIR = process.env.RECORDINGS_DIR ?? resolve(import.meta.dirname, '../../../../../../../shared/data');
const HAS_RECORDINGS = existsSync(DIR);
if (!HAS_RECORDINGS)
  console.warn(`SKIPPED: no recordings of real venues in ${DIR}, derivatives are proved by the sandbox alone`);

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(DIR, file), 'utf8'));
const now = () => new Date('2026-11-20T12:00:00Z');
const ask = { ...askAt(), now: now(), market: { priceOf: () => null, listed: () => undefined } };
const { signal } = ask;
const values = (rows: Observation[]) => Object.fromEntries(rows.map(({ metric, value }) => [metric, value]));

describe.skipIf(!HAS_RECORDINGS)('venues on real recorded responses', () => {
  const venue = shared(startStubProvider);

  const clientOf = (id: string) => {
    const descriptors: SourceDescriptor[] = [...MARKET_SOURCES, ...METRIC_SOURCES];
    const found = descriptors.find((each) => each.id === id);
    if (!found) throw new Error(`No source ${id}`);
    return createSourceClient({ name: id, ...found.options(loadConfig({})), baseUrl: venue.url, retries: 0 }, now);
  };
  const adapterOf = (id: string) => {
    const found = METRIC_ADAPTERS.find(({ source, lane }) => source === id && lane === 'listing');
    if (!found) throw new Error(`No adapter ${id}`);
    return found;
  };
  const readFrom = (id: string) => adapterOf(id).read(clientOf(id), ask);
  const pastOf = (id: string, from: string) => adapterOf(id).past?.(clientOf(id), new Date(from), ask) ?? [];

  test('Deribit ticker of 2025: dollars of an inverse perpetual, eight-hour funding in percent', async () => {
    const { params } = read('nautilus/deribit/ws_ticker.json') as { params: { data: { instrument_name: string } } };
    venue.respondWith('/api/v2/public/ticker', () => ({ jsonrpc: '2.0', result: params.data }));
    const rows = await readFrom('deribit');
    expect(values(rows)).toEqual({
      'venue.oi.btc': 1_132_329_370,
      'venue.funding.btc': expect.closeTo(0.001742, 12),
      'venue.volume.btc': 1_092_371_540,
    });
    expect(rows[0]?.observedAt.getTime()).toBe(1_765_541_474_086);
  });

  test('Kraken Futures tickers of 2025: coins at the mark price, funding per hour ÷ index', async () => {
    venue.respondWith('/derivatives/api/v3/tickers', read('nautilus/kraken/http_futures_tickers.json'));
    const rows = await readFrom('kraken-futures');
    expect(values(rows)).toEqual({
      'venue.oi.eth': 1_000_000 * 3205.25,
      'venue.funding.eth': expect.closeTo((1.5e-5 / 3202.75) * 800, 12),
      'venue.volume.eth': 1_600_000,
    });
    expect(rows[0]?.observedAt.toISOString()).toBe('2025-11-17T00:34:37.524Z');
  });

  test('Bybit ticker of 2023', async () => {
    const { data, ts } = read('nautilus/bybit/ws_ticker_linear.json') as { data: unknown; ts: number };
    venue.respondWith('/v5/market/tickers', { retCode: 0, retMsg: 'OK', result: { list: [data] }, time: ts });
    expect(values(await readFrom('bybit'))).toEqual({
      'venue.oi.btc': 1_183_601_235.91,
      'venue.funding.btc': expect.closeTo(-0.0212, 12),
      'venue.volume.btc': 1_570_383_121.943499,
    });
  });

  test.each([
    ['bybit/funding-history-2023-05.json', '2023-05-13T16:00:00.000Z', [0.08453, 0.009144, 0.01]],
    ['nautilus/bybit/http_get_funding_history.json', '2024-03-08T08:00:00.000Z', [0.015, 0.01]],
  ])('Bybit %s', async (file, newest, expected) => {
    const body = read(file);
    venue.respondWith('/v5/market/funding/history', (query: URLSearchParams) =>
      query.get('symbol') === 'BTCUSDT' ? body : { retCode: 0, result: { list: [] } },
    );
    const rows = await pastOf('bybit', '2020-01-01');
    expect(rows.map(({ value }) => value)).toEqual(expected.map((value) => expect.closeTo(value, 12)));
    expect(rows.at(-1)?.observedAt.toISOString()).toBe(newest);
  });

  test('OKX funding history of 2024: realised rates, oldest first', async () => {
    const body = read('nautilus/okx/http_get_funding_rate_history.json');
    venue.respondWith('/api/v5/public/funding-rate-history', (query: URLSearchParams) =>
      query.get('instId') === 'BTC-USDT-SWAP' ? body : { code: '0', data: [] },
    );
    const rows = await pastOf('okx', '2023-01-01');
    expect(rows).toMatchObject([
      { metric: 'venue.funding.btc', value: expect.closeTo(-0.002, 12), observedAt: new Date(1_704_038_400_000) },
      { metric: 'venue.funding.btc', value: expect.closeTo(0.015, 12), observedAt: new Date(1_704_067_200_000) },
    ]);
    expect(await pastOf('okx', '2023-12-31T20:00:00Z')).toHaveLength(1);
  });

  test('OKX open interest of a coin outside the sums, funding of 2025 and a swap ticker of 2022', async () => {
    const { data } = read('nautilus/okx/ws_funding_rate.json') as { data: unknown[] };
    venue.respondWith('/api/v5/public/open-interest', read('okx/open-interest-DOT-2026-09-20.json'));
    venue.respondWith('/api/v5/public/funding-rate', { code: '0', data });
    const tickers = readFrames(resolve(DIR, 'ws-recordings/OKX.ws.1.0.jsonl'))
      .filter((frame) => (frame['arg'] as { channel?: string } | undefined)?.channel === 'tickers' && 'data' in frame)
      .flatMap((frame) => frame['data'] as { instId: string }[]);
    expect(tickers.map(({ instId }) => instId)).toContain('UNI-USD-SWAP');
    venue.respondWith('/api/v5/market/tickers', { code: '0', data: tickers });
    expect(values(await readFrom('okx'))).toEqual({ 'venue.funding.btc': expect.closeTo(0.01, 12) });
  });

  test('Binance liquidation of 2019: a sell order closed a long position', () => {
    const [close, ...more] = binanceStream.parse(read('nautilus/binance/liquidation_stream.json'), new Map());
    expect(close).toMatchObject({ side: 'long', at: new Date(1_568_014_460_893) });
    expect(close?.usd).toBeCloseTo(0.014 * 9910.12345678, 9);
    expect(more).toEqual([]);
  });

  test('no other recorded frame of any venue is a liquidation', () => {
    for (const [stream, file] of [
      [okxStream, 'ws-recordings/OKX.ws.1.0.jsonl'],
      [binanceStream, 'ws-recordings/BINANCE_FUTURES.ws.1.0.jsonl'],
    ] as const) {
      const frames = readFrames(resolve(DIR, file));
      expect(frames.length).toBeGreaterThan(10);
      expect(frames.flatMap((frame) => stream.parse(frame, new Map([['btc', 0.01]])))).toEqual([]);
    }
    for (const file of ['ws_ticker_linear', 'ws_subscription_ack', 'ws_kline', 'ws_public_trade'])
      expect(bybitStream.parse(read(`nautilus/bybit/${file}.json`), new Map())).toEqual([]);
  });

  test('OKX contract sizes of 2022 and liquidations of 2026-10-02: contracts become dollars', async () => {
    const instruments = read('rest-recordings/OKX/www_okx_com_api_v5_public_instruments_instType_SWAP.json') as {
      body: unknown;
    };
    venue.respondWith('/api/v5/public/instruments', instruments.body);
    const sizes = await okxContractSizes(clientOf('okx'), signal);
    expect([sizes.get('btc'), sizes.get('eth'), sizes.get('sol'), sizes.get('xrp')]).toEqual([0.01, 0.1, 1, 100]);

    const [, ...lines] = readFileSync(resolve(DIR, 'okx/liquidations-sample-2026-10-02.csv'), 'utf8')
      .trim()
      .split('\n');
    const recorded = lines.map((line) => {
      const [time = '', uly = '', posSide = '', sz = '', bkPx = ''] = line.split(',');
      return { uly, posSide, sz, bkPx, ts: String(Date.parse(`${time.replace(' ', 'T')}Z`)) };
    });
    venue.respondWith('/api/v5/public/liquidation-orders', (query: URLSearchParams) => {
      const details = recorded.filter(({ uly }) => uly === query.get('uly')).toReversed();
      return { code: '0', data: details.length > 0 ? [{ instId: `${query.get('uly')}-SWAP`, details }] : [] };
    });
    const all = await okxPastCloses(clientOf('okx'), new Date('2026-10-02T13:00:00Z'), sizes, signal);
    expect(all?.wholeFrom.toISOString()).toBe('2026-10-02T14:00:00.000Z');
    const known = await okxPastCloses(clientOf('okx'), new Date('2026-10-02T13:57:29Z'), sizes, signal);
    expect(known?.closes).toHaveLength(10);
    const longs = known?.closes.filter(({ side }) => side === 'long').reduce((sum, { usd }) => sum + usd, 0);
    const expected = recorded
      .filter(({ posSide }) => posSide === 'long')
      .reduce((sum, { uly, sz, bkPx }) => sum + Number(sz) * (uly === 'BTC-USDT' ? 0.01 : 0.1) * Number(bkPx), 0);
    expect(longs).toBeCloseTo(expected, 4);
    expect(expected).toBeGreaterThan(1_000_000);
  });
});
