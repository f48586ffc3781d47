import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';
import { figureMeta } from '#shared/figures.ts';
import { provenance } from '#shared/provenance.ts';

/** The assets with a track record, in the order of the prices card. Ids are CoinGecko's. */
/** Ids of the sources that may provide a price. */
export const PRICE_SOURCES: readonly string[] = ['coingecko', 'coinpaprika', 'okx', 'coinbase'];

export const TRACKED = [
  { id: 'bitcoin', symbol: 'BTC' },
  { id: 'ethereum', symbol: 'ETH' },
  { id: 'solana', symbol: 'SOL' },
  { id: 'sui', symbol: 'SUI' },
  { id: 'ripple', symbol: 'XRP' },
] as const;

/** Prices in USD, changes in percent. null means the source did not provide it. */
export const cryptoPrice = z.object({
  id: z.string(),
  symbol: z.string(),
  name: z.string(),
  rank: z.nullable(z.int()),
  price: z.number(),
  change_24h: z.nullable(z.number()),
  change_7d: z.nullable(z.number()),
  low_24h: z.nullable(z.number()),
  high_24h: z.nullable(z.number()),
  volume_24h: z.nullable(z.number()),
  market_cap: z.nullable(z.number()),
  /** Source and age of the price; the other figures of the row carry `listing`. */
  meta: provenance,
  /** Source and age of 24h volume, market cap (price × supply when computed) and 7d change. */
  listing: provenance,
  /**
   * Only at a past moment: figures missing from that time's list, rebuilt from stored candles, or the reason why they
   * are unknown.
   */
  rebuilt: z.optional(z.object({ change_7d: figureMeta, range_24h: figureMeta, volume_24h: z.optional(figureMeta) })),
});
export type CryptoPrice = z.infer<typeof cryptoPrice>;

/** Sums over every coin in the list, USD. */
export const marketTotals = z.object({
  market_cap: z.nullable(z.number()),
  volume_24h: z.nullable(z.number()),
  change_24h: z.nullable(z.number()),
  coins: z.int(),
  meta: z.nullable(provenance),
});
export type MarketTotals = z.infer<typeof marketTotals>;

/** Seven days of closes, oldest first, for every coin that has them. */
export const sparklines = z.object({
  timestamp: z.iso.datetime(),
  series: z.record(z.string(), z.object({ points: z.array(z.number()), meta: provenance })),
});
export type Sparklines = z.infer<typeof sparklines>;

/** One market data source for `/api/health`, the sidebar footer and the notes on cards. */
export const sourceHealth = z.object({
  id: z.string(),
  name: z.string(),
  gives: z.string(),
  /** `unknown` only at a past moment without a recorded call. */
  state: z.enum(['ok', 'stale', 'rate_limited', 'down', 'refused_region', 'key_missing', 'waiting', 'unknown']),
  /** One sentence for users; null while operational. */
  note: z.nullable(z.string()),
  lastSuccessAt: z.nullable(z.iso.datetime()),
  lastFailureAt: z.nullable(z.iso.datetime()),
});
export type SourceHealth = z.infer<typeof sourceHealth>;

export const candle = z.object({
  at: z.iso.datetime(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  /** In USD; null if the source has none. */
  volume: z.nullable(z.number()),
});
export type Candle = z.infer<typeof candle>;

export const chartRange = z.enum(['24h', '7d', '30d', '1y', 'all']);
export type ChartRange = z.infer<typeof chartRange>;

/** The latest quote of one source for a coin. */
export const sourceQuote = z.object({
  source: z.string(),
  price: z.number(),
  volume_24h: z.nullable(z.number()),
  market_cap: z.nullable(z.number()),
  change_24h: z.nullable(z.number()),
  meta: provenance,
});
export type SourceQuote = z.infer<typeof sourceQuote>;

export const priceList = z.object({
  timestamp: z.iso.datetime(),
  prices: z.array(cryptoPrice),
  totals: marketTotals,
});
export type PriceList = z.infer<typeof priceList>;

export const listPrices = endpoint({ method: 'GET', path: '/api/prices', access: 'public', reply: priceList });

export const listSparklines = endpoint({
  method: 'GET',
  path: '/api/prices/sparklines',
  access: 'public',
  reply: sparklines,
});

const coinParams = z.object({ id: z.string().check(z.regex(/^[a-z0-9._-]{1,80}$/, 'Unknown coin')) });

export const getCoin = endpoint({
  method: 'GET',
  path: '/api/coins/:id',
  access: 'public',
  params: coinParams,
  reply: z.object({ coin: cryptoPrice, quotes: z.array(sourceQuote) }),
});

/** `history` is 'loading' while the past is first being fetched; candles may then be few. */
export const getCandles = endpoint({
  method: 'GET',
  path: '/api/coins/:id/candles',
  access: 'public',
  params: coinParams,
  query: z.object({ range: z._default(chartRange, '24h') }),
  reply: z.object({
    range: chartRange,
    interval: z.enum(['5m', '1h', '4h', '1d']),
    history: z.enum(['complete', 'loading', 'unavailable']),
    candles: z.array(candle),
    meta: z.nullable(provenance),
  }),
});

export const chartInterval = z.enum(['1', '5', '15', '30', '60', '240', 'D', 'W', 'M']);
export type ChartInterval = z.infer<typeof chartInterval>;

const moment = z.iso.datetime({ offset: true, error: 'Times must be written as 2026-01-31T00:00:00Z' });

/**
 * Minutes, or days, weeks (from Monday) and months in UTC, named by their start; the last may be incomplete. Candles
 * containing `from` and `to` are included whole. A time without trades has no candle and is listed in `gaps`. `symbol`
 * may be a coin id; of several coins with one symbol the highest ranked is used.
 */
export const listCandles = endpoint({
  method: 'GET',
  path: '/api/candles',
  access: 'public',
  query: z.object({
    symbol: z.string().check(z.minLength(1, 'A symbol is required'), z.maxLength(40)),
    interval: z._default(chartInterval, '60'),
    from: z.optional(moment),
    to: z.optional(moment),
  }),
  reply: z.object({
    id: z.string(),
    symbol: z.string(),
    interval: chartInterval,
    history: z.enum(['complete', 'loading', 'unavailable']),
    candles: z.array(candle),
    /** Start of the first and the last missing candle, where there are candles before and after. */
    gaps: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() })),
    /** Retention of this interval, or the plan's limit; null is everything. */
    limitedToDays: z.nullable(z.int()),
    meta: z.nullable(provenance),
  }),
});
export type Candles = z.infer<(typeof listCandles)['reply']>;

/** [coin id, price, change_24h, market_cap, index into `sources`, observedAt in ms since epoch] */
export const tick = z.tuple([
  z.string(),
  z.number(),
  z.nullable(z.number()),
  z.nullable(z.number()),
  z.int(),
  z.number(),
]);
export type Tick = z.infer<typeof tick>;

export const pricesTopic = topic({
  name: 'prices',
  access: 'public',
  data: z.object({ at: z.number(), sources: z.array(z.string()), ticks: z.array(tick) }),
});

/** Something slower than a tick changed (a full collection, a source's health): refetch the endpoints named here. */
export const marketTopic = topic({
  name: 'market',
  access: 'public',
  data: z.object({ at: z.number(), changed: z.array(z.enum(['dashboard', 'sparklines', 'sources', 'metrics'])) }),
});
