import { beforeEach, describe, expect, test } from 'vitest';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/market/sources.ts';
import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { shared } from '#tests/support/for-file.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import { askAt } from '../fixtures/bodies.ts';
import { METRIC_ADAPTERS, METRIC_SOURCES } from '../sources.ts';
import { binanceStream, bybitStream, okxStream } from './forced-closes.ts';
import { okxPastCloses } from './okx.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const TS = NOW.getTime();
const priceOf = (symbol: string) => (symbol === 'BTC' ? 90_000 : null);
const ask = { ...askAt(), now: NOW, market: { priceOf, listed: () => undefined } };
const { signal } = ask;

const venue = shared(startStubProvider);

function clientOf(id: string) {
  const descriptors: SourceDescriptor[] = [...MARKET_SOURCES, ...METRIC_SOURCES];
  const found = descriptors.find((each) => each.id === id);
  if (!found) throw new Error(`No source ${id}`);
  return createSourceClient({ name: id, ...found.options(loadConfig({})), baseUrl: venue.url, retries: 0 }, () => NOW);
}
async function readFrom(id: string): Promise<Record<string, number>> {
  const adapter = METRIC_ADAPTERS.find(({ source, lane }) => source === id && lane === 'listing');
  const rows = (await adapter?.read(clientOf(id), ask)) ?? [];
  return Object.fromEntries(rows.map(({ metric, value }) => [metric, value]));
}
const failureOf = (id: string) =>
  readFrom(id).then(
    () => null,
    (error: unknown) => (error instanceof SourceError ? { kind: error.kind, message: error.message } : error),
  );

describe('OKX', () => {
  const ok = (data: unknown) => ({ code: '0', msg: '', data });
  beforeEach(() => {
    venue.respondWith('/api/v5/public/open-interest', ok([]));
    venue.respondWith('/api/v5/public/funding-rate', ok([]));
    venue.respondWith('/api/v5/market/tickers', ok([]));
  });

  test('without USD the coins count at our price, without either as nothing', async () => {
    const row = { instType: 'SWAP', oi: '1', ts: String(TS) };
    venue.respondWith(
      '/api/v5/public/open-interest',
      ok([
        { ...row, instId: 'BTC-USDT-SWAP', oiCcy: '1000', oiUsd: '' },
        { ...row, instId: 'ETH-USDT-SWAP', oiCcy: '1000', oiUsd: '' },
        { ...row, instId: 'SOL-USDT-SWAP', oiCcy: null, oiUsd: null },
        { ...row, instId: 'SUI-USDT-SWAP', oiUsd: '9223372036854775808.25' },
        { ...row, instId: 'XRP-USDT-SWAP', oiCcy: '5', oiUsd: '-3' },
        { ...row, instId: 'NOSUCH-USDT-SWAP', oiCcy: '5', oiUsd: '7' },
      ]),
    );
    expect(await readFrom('okx')).toEqual({ 'venue.oi.btc': 90_000_000, 'venue.oi.sui': 9_223_372_036_854_775_808 });
  });

  test('funding by the interval stated in the row: eight, four and one hour, none', async () => {
    const hours = (of: number) => ({ fundingTime: String(TS), prevFundingTime: String(TS - of * 3_600_000) });
    const rows: Record<string, object> = {
      'BTC-USDT-SWAP': { fundingRate: '0.0001', ...hours(8) },
      'ETH-USDT-SWAP': { fundingRate: '0.0001', fundingTime: String(TS), nextFundingTime: String(TS + 4 * 3_600_000) },
      'SOL-USDT-SWAP': { fundingRate: '0.0001', ...hours(1), nextFundingTime: '' },
      'SUI-USDT-SWAP': { fundingRate: '0.0001', fundingTime: '', nextFundingTime: '' },
      'XRP-USDT-SWAP': { fundingRate: '', ...hours(8) },
    };
    venue.respondWith('/api/v5/public/funding-rate', (query: URLSearchParams) => {
      const instId = query.get('instId') ?? '';
      return ok([{ instId, ts: String(TS), ...rows[instId] }]);
    });
    expect(await readFrom('okx')).toEqual({
      'venue.funding.btc': expect.closeTo(0.01, 12),
      'venue.funding.eth': expect.closeTo(0.02, 12),
      'venue.funding.sol': expect.closeTo(0.08, 12),
    });
  });

  test('an error under 200 costs only its own part', async () => {
    venue.respondWith('/api/v5/public/open-interest', { code: '51001', msg: 'no such instrument', data: [] });
    venue.respondWith(
      '/api/v5/market/tickers',
      ok([{ instId: 'BTC-USDT-SWAP', last: '90000', volCcy24h: '2000', ts: String(TS) }]),
    );
    expect(await readFrom('okx')).toEqual({ 'venue.volume.btc': 180_000_000 });
  });

  test('past liquidations count from the first full hour the venue still has', async () => {
    const sizes = new Map([['btc', 0.01]] as const);
    const order = (ts: number, sz: string) => ({ posSide: 'long', side: 'sell', sz, bkPx: '90000', ts: String(ts) });
    const details = [order(TS - 60_000, '10'), order(TS - 1, ''), order(TS - 90 * 60_000, '10')];
    venue.respondWith('/api/v5/public/liquidation-orders', ok([{ instId: 'BTC-USDT-SWAP', details }]));
    const past = await okxPastCloses(clientOf('okx'), new Date(TS - 24 * 3_600_000), sizes, signal);
    expect(past?.wholeFrom.toISOString()).toBe('2026-11-20T11:00:00.000Z');
    expect(past?.closes.map(({ usd }) => usd)).toEqual([9_000]);
    venue.respondWith('/api/v5/public/liquidation-orders', ok([]));
    expect(await okxPastCloses(clientOf('okx'), new Date(0), sizes, signal)).toBeUndefined();
  });
});

describe('Bybit', () => {
  const row = {
    symbol: 'BTCUSDT',
    markPrice: '90000',
    openInterest: '10',
    openInterestValue: '899999',
    turnover24h: '5',
  };
  const answer = (list: unknown[], time: unknown = TS) => ({ retCode: 0, retMsg: 'OK', result: { list }, time });

  test.each([
    ['empty value: coins at the mark price', { openInterestValue: '' }, { oi: 900_000, volume: 5 }],
    ['neither', { openInterestValue: '', markPrice: '' }, { volume: 5 }],
    ['four hours', { fundingRate: '0.0001', fundingIntervalHour: '4' }, { oi: 899_999, funding: 0.02, volume: 5 }],
    ['no interval', { fundingRate: '0.0001' }, { oi: 899_999, volume: 5 }],
    ['a rate of zero', { fundingRate: '0', fundingIntervalHour: '8' }, { oi: 899_999, funding: 0, volume: 5 }],
    ['words', { openInterestValue: 'n/a', openInterest: {}, turnover24h: false }, {}],
  ])('%s', async (_, change, expected) => {
    venue.respondWith('/v5/market/tickers', answer([{ ...row, ...change }, { symbol: 'NOUSDT' }]));
    const found = await readFrom('bybit');
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([kind, value]) => [`venue.${kind}.btc`, expect.closeTo(value, 10)]),
      ),
    );
  });

  test('a response without a time gives no figure, one without a list is an error', async () => {
    venue.respondWith('/v5/market/tickers', answer([row], ''));
    expect(await readFrom('bybit')).toEqual({});
    venue.respondWith('/v5/market/tickers', { retCode: 0, result: {}, time: TS });
    expect(await failureOf('bybit')).toMatchObject({ kind: 'body' });
  });

  test.each([
    [10_001, 'body', 'Request parameter error'],
    [10_006, 'rate_limited', 'rate-limiting us'],
    [10_016, 'body', '10016'],
  ])('retCode %i under 200 is %s', async (retCode, kind, words) => {
    venue.respondWith('/v5/market/tickers', { retCode, retMsg: 'Request parameter error', result: {}, time: TS });
    expect(await failureOf('bybit')).toMatchObject({ kind, message: expect.stringContaining(words) });
  });
});

describe('other venues', () => {
  test('Binance: intervals from fundingInfo, coins at the mark price, an unknown interval gives nothing', async () => {
    const premium = { markPrice: '2', lastFundingRate: '0.0001', time: TS };
    venue.respondWith(
      '/fapi/v1/premiumIndex',
      ['BTC', 'ETH', 'SOL'].map((base) => ({ ...premium, symbol: `${base}USDT` })),
    );
    venue.respondWith('/fapi/v1/fundingInfo', [
      { symbol: 'ETHUSDT', fundingIntervalHours: 4 },
      { symbol: 'SOLUSDT', fundingIntervalHours: null },
    ]);
    venue.respondWith('/fapi/v1/openInterest', (query: URLSearchParams) => ({
      symbol: query.get('symbol'),
      openInterest: query.get('symbol') === 'BTCUSDT' ? '9007199254740993' : '',
      time: TS,
    }));
    venue.respondWith('/fapi/v1/ticker/24hr', { code: -1121, msg: 'Invalid symbol.' }, 400);
    expect(await readFrom('binance-futures')).toEqual({
      'venue.oi.btc': 9_007_199_254_740_992 * 2,
      'venue.funding.btc': expect.closeTo(0.01, 12),
      'venue.funding.eth': expect.closeTo(0.02, 12),
    });
  });

  test('Binance rejects a country or too many calls', async () => {
    const refusal = { code: 0, msg: 'Service unavailable from a restricted location' };
    for (const path of ['premiumIndex', 'ticker/24hr']) venue.respondWith(`/fapi/v1/${path}`, refusal, 451);
    expect(await failureOf('binance-futures')).toMatchObject({ kind: 'refused_region' });
    for (const path of ['premiumIndex', 'ticker/24hr'])
      venue.respondWith(`/fapi/v1/${path}`, { code: -1003, msg: 'Too many' });
    expect(await failureOf('binance-futures')).toMatchObject({ kind: 'rate_limited' });
  });

  test('Deribit: nulls, an instrument answering under another name, an error under 200', async () => {
    venue.respondWith('/api/v2/public/ticker', (query: URLSearchParams) => ({
      result: {
        instrument_name:
          query.get('instrument_name') === 'ETH-PERPETUAL' ? 'BTC-PERPETUAL' : query.get('instrument_name'),
        timestamp: TS,
        mark_price: null,
        open_interest: 1000,
        funding_8h: null,
        stats: { volume_usd: null },
      },
    }));
    expect(await readFrom('deribit')).toEqual({ 'venue.oi.btc': 1000 });
    venue.respondWith('/api/v2/public/ticker', { error: { code: 10_028, message: 'too_many_requests' } });
    expect(await failureOf('deribit')).toMatchObject({ kind: 'rate_limited' });
    venue.respondWith('/api/v2/public/ticker', { error: { code: -32_602, message: 'Invalid params' } });
    expect(await failureOf('deribit')).toMatchObject({ message: expect.stringContaining('Invalid params') });
  });

  test('Kraken Futures: no index price, no funding; negative rates stay negative; an error under 200', async () => {
    const row = { symbol: 'PF_XBTUSD', markPrice: 90_000, indexPrice: 0, openInterest: 2, fundingRate: -9 };
    const answer = (tickers: unknown[]) => ({ result: 'success', serverTime: NOW.toISOString(), tickers });
    venue.respondWith(
      '/derivatives/api/v3/tickers',
      answer([row, { symbol: 'in_xbtusd', last: 1 }, { symbol: 'PI_XBTUSD' }]),
    );
    expect(await readFrom('kraken-futures')).toEqual({ 'venue.oi.btc': 180_000 });
    venue.respondWith('/derivatives/api/v3/tickers', answer([{ ...row, indexPrice: 90_000 }]));
    expect((await readFrom('kraken-futures'))['venue.funding.btc']).toBeCloseTo(-0.08, 12);
    venue.respondWith('/derivatives/api/v3/tickers', { result: 'error', error: 'apiLimitExceeded' });
    expect(await failureOf('kraken-futures')).toMatchObject({ kind: 'rate_limited' });
  });

  test('Hyperliquid: hourly funding, delisted contracts, mismatched names and figures, nothing at all', async () => {
    const figures = { funding: '0.0000125', openInterest: '10', markPx: '90000', dayNtlVlm: '1e9' };
    const universe = [{ name: 'BTC' }, { name: 'SOL', isDelisted: true }, { name: 'kPEPE' }, { name: 'ETH' }];
    venue.respondWith('/info', [{ universe }, [figures, figures, figures, { ...figures, markPx: null, funding: '' }]]);
    expect(await readFrom('hyperliquid')).toEqual({
      'venue.oi.btc': 900_000,
      'venue.funding.btc': expect.closeTo(0.01, 12),
      'venue.volume.btc': 1e9,
      'venue.volume.eth': 1e9,
    });
    venue.respondWith('/info', [{ universe }, [figures]]);
    expect(await failureOf('hyperliquid')).toMatchObject({ message: expect.stringContaining('differ in number') });
    venue.respondWith('/info', 'null');
    expect(await failureOf('hyperliquid')).toMatchObject({ kind: 'body' });
  });
});

describe('liquidations', () => {
  const sizes = new Map([['btc', 0.01]] as const);
  const sides = (closes: { side: string; usd: number }[]) => closes.map(({ side, usd }) => [side, usd]);

  test('OKX: contracts of known size only; a net-mode position by its order', () => {
    const message = (instId: string, details: unknown[]) => ({ arg: {}, data: [{ instId, details }] });
    const order = { sz: '2', bkPx: '90000', ts: String(TS) };
    const told = message('BTC-USDT-SWAP', [
      { ...order, posSide: 'short', side: 'buy' },
      { ...order, posSide: 'net', side: 'sell' },
      { ...order, posSide: 'net' },
      { ...order, posSide: 'long', sz: '' },
      { ...order, posSide: 'long', ts: '' },
    ]);
    expect(sides(okxStream.parse(told, sizes))).toEqual([
      ['short', 1800],
      ['long', 1800],
    ]);
    expect(okxStream.parse(message('ETH-USDT-SWAP', [{ ...order, posSide: 'long' }]), sizes)).toEqual([]);
    expect(okxStream.parse(message('BTC-USD-SWAP', [{ ...order, posSide: 'long' }]), sizes)).toEqual([]);
    expect(() => okxStream.parse({ event: 'error', code: '60018', msg: 'no such channel' }, sizes)).toThrow(
      'no such channel',
    );
  });

  test('Bybit: the side is that of the position; a rejected subscription is an error', () => {
    const row = { T: TS, s: 'BTCUSDT', v: '0.5', p: '90000' };
    const data = [
      { ...row, S: 'Buy' },
      { ...row, S: 'Sell' },
      { ...row, S: '' },
      { ...row, S: 'Buy', s: 'NOUSDT' },
    ];
    expect(sides(bybitStream.parse({ topic: 'allLiquidation.BTCUSDT', data }, sizes))).toEqual([
      ['long', 45_000],
      ['short', 45_000],
    ]);
    expect(() => bybitStream.parse({ success: false, ret_msg: 'handler not found' }, sizes)).toThrow(
      'handler not found',
    );
  });

  test('Binance: alone, in a list or in a combined stream; the filled amount at the average price', () => {
    const o = { s: 'ETHUSDT', S: 'BUY', q: '9', z: '2', ap: '3000', p: '3100', T: TS };
    const event = { e: 'forceOrder', E: TS, o };
    for (const message of [event, [event], { stream: '!forceOrder@arr', data: event }])
      expect(sides(binanceStream.parse(message, sizes))).toEqual([['short', 6000]]);
    expect(sides(binanceStream.parse({ ...event, o: { ...o, z: '0', ap: '0' } }, sizes))).toEqual([['short', 27_900]]);
    expect(binanceStream.parse({ ...event, o: { ...o, S: 'HOLD' } }, sizes)).toEqual([]);
  });

  test('anything else is no liquidation', () => {
    for (const stream of [okxStream, bybitStream, binanceStream])
      for (const message of [null, 7, 'pong', [], {}, { data: null }, { data: [{}] }, { e: 'forceOrder' }])
        expect(stream.parse(message, sizes)).toEqual([]);
  });
});
