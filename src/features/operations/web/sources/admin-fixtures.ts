import type { AdminSource, SourceDetail, SourceList } from '#features/operations/contract/sources.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (ms: number) => new Date(ms).toISOString();

export const sourceDetail = (
  id: string,
  name: string,
  gives: string,
  change: Partial<SourceDetail> = {},
): SourceDetail => ({
  id,
  name,
  gives,
  state: 'ok',
  note: null,
  lastSuccessAt: iso(NOON - 42_000),
  lastFailureAt: null,
  host: `api.${id}.com`,
  homepage: `https://www.${id}.com`,
  licence: 'Free use with attribution',
  attribution: `Data by ${name}`,
  key: 'none',
  day: { calls: 288, success_rate: 99.65, latency_ms: 184 },
  month: { calls: 8640, success_rate: 99.91, latency_ms: 176 },
  ...change,
});

const none = { calls: 0, success_rate: null, latency_ms: null };

export const sourceList: SourceList = {
  timestamp: iso(NOON),
  dataMode: 'live',
  sources: [
    sourceDetail('coingecko', 'CoinGecko', 'Prices, market caps, volumes, history', { key: 'optional' }),
    sourceDetail('coinpaprika', 'CoinPaprika', 'Price list when CoinGecko fails', {
      state: 'waiting',
      lastSuccessAt: null,
      day: none,
      month: none,
    }),
    sourceDetail('okx', 'OKX', 'Live ticks, tickers, candles', { attribution: null, licence: 'Public market data' }),
    sourceDetail('binance', 'Binance', 'Open interest, funding, liquidations', {
      state: 'rate_limited',
      note: 'Asked to wait until 12:04 UTC.',
      lastFailureAt: iso(NOON - 70_000),
      day: { calls: 1440, success_rate: 91.2, latency_ms: 95 },
    }),
    sourceDetail('alternative', 'alternative.me', 'Fear & greed index', {
      state: 'stale',
      note: 'The same value for two days.',
    }),
    sourceDetail('mempool', 'mempool.space', 'Hash rate, difficulty, transactions', {
      state: 'down',
      note: 'No answer for 10 seconds.',
      lastSuccessAt: iso(NOON - 7_200_000),
      lastFailureAt: iso(NOON - 30_000),
      day: { calls: 96, success_rate: 40.6, latency_ms: 2140 },
    }),
    sourceDetail('glassnode', 'Glassnode', 'Exchange flows', {
      state: 'key_missing',
      note: 'Set GLASSNODE_API_KEY to switch it on.',
      key: 'required',
      licence: 'Paid plan',
      attribution: null,
      lastSuccessAt: null,
      day: none,
      month: none,
    }),
  ],
};

const CHANGES: Record<string, Partial<AdminSource>> = {
  coingecko: {
    keySetting: 'COINGECKO_API_KEY',
    budget: { used: 9120, limit: 10_000 },
    jobs: ['market.listing', 'metrics.listing'],
  },
  okx: { streams: true, jobs: [], nextRunAt: null, notNow: 'OKX is heard over a connection that stays open' },
  glassnode: {
    keySetting: 'GLASSNODE_API_KEY',
    keyPresent: false,
    nextRunAt: null,
    notNow: 'Glassnode is off: Set GLASSNODE_API_KEY to switch it on.',
  },
};

export const adminSourceOf = (id: string, change: Partial<AdminSource> = {}): AdminSource => {
  const source = sourceList.sources.find((each) => each.id === id);
  if (!source) throw new Error(`No source is called ${id}`);
  return {
    ...source,
    streams: false,
    keySetting: null,
    keyPresent: source.key === 'optional',
    budget: null,
    jobs: [`${id}.collect`],
    nextRunAt: new Date(Date.parse(sourceList.timestamp) + 240_000).toISOString(),
    notNow: null,
    run: null,
    ...CHANGES[id],
    ...change,
  };
};

/** One of each state; `change` is by id. */
export const adminSources = (change: Record<string, Partial<AdminSource>> = {}) => ({
  timestamp: sourceList.timestamp,
  sources: sourceList.sources.map(({ id }) => adminSourceOf(id, change[id])),
});
