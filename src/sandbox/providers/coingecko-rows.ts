import type { Coin } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR } from '#sandbox/market/time.ts';

import { decimals, listed } from './json-rpc.ts';

/** Spans that `price_change_percentage` may ask for. */
export const SPANS: ReadonlyMap<string, number> = new Map([
  ['1h', HOUR],
  ['24h', DAY],
  ['7d', 7 * DAY],
  ['14d', 14 * DAY],
  ['30d', 30 * DAY],
  ['200d', 200 * DAY],
  ['1y', 365 * DAY],
]);

/** What even a coin without a price has. */
const ALWAYS = new Set(['id', 'symbol', 'name', 'image', 'last_updated', 'circulating_supply', 'sparkline_in_7d']);

const SPARKLINE_POINTS = 168;

export const imageOf = (coin: Coin, size: string): string =>
  `https://coin-images.coingecko.com/coins/images/${coin.index + 1}/${size}/${coin.id}.png`;

/** Hourly closes of the last seven days, oldest first. */
function sparkline(market: Market, coin: Coin, now: number): number[] {
  const last = floorTo(now, HOUR);
  return Array.from({ length: SPARKLINE_POINTS }, (_, i) =>
    market.priceAt(coin, last - (SPARKLINE_POINTS - 1 - i) * HOUR),
  );
}

export type MarketRowOptions = {
  rank: number;
  now: number;
  spans: readonly string[];
  withSparkline: boolean;
  full: boolean;
};

/** One row of /coins/markets. */
export function marketRow(market: Market, coin: Coin, { rank, now, spans, withSparkline, full }: MarketRowOptions) {
  const { price, open, high, low, volumeUsd } = market.dayStats(coin, now);
  const record = market.extremes(coin, now);
  const round = full ? (value: number) => value : listed;
  const supply = coin.circulatingSupply;
  const change = 100 * (price / open - 1);
  const changes = spans.map((span) => [
    `price_change_percentage_${span}_in_currency`,
    span === '24h' ? change : market.changeAt(coin, now, SPANS.get(span) ?? DAY),
  ]);
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    image: imageOf(coin, 'large'),
    current_price: round(price),
    market_cap: Math.round(price * supply),
    market_cap_rank: rank,
    fully_diluted_valuation: Math.round(price * (coin.maxSupply ?? coin.totalSupply)),
    total_volume: Math.round(volumeUsd),
    high_24h: round(high),
    low_24h: round(low),
    price_change_24h: price - open,
    price_change_percentage_24h: decimals(change, 5),
    market_cap_change_24h: (price - open) * supply,
    market_cap_change_percentage_24h: decimals(change, 5),
    circulating_supply: supply,
    total_supply: coin.totalSupply,
    max_supply: coin.maxSupply,
    ath: round(record.high),
    ath_change_percentage: decimals(100 * (price / record.high - 1), 5),
    ath_date: new Date(record.highAt).toISOString(),
    atl: round(record.low),
    atl_change_percentage: decimals(100 * (price / record.low - 1), 5),
    atl_date: new Date(record.lowAt).toISOString(),
    roi: null,
    last_updated: new Date(now).toISOString(),
    ...(withSparkline ? { sparkline_in_7d: { price: sparkline(market, coin, now) } } : {}),
    ...Object.fromEntries(changes),
  };
}

type Row = Record<string, unknown>;

const THIN: readonly (readonly [every: number, at: number, fields: readonly string[]])[] = [
  [7, 3, ['market_cap', 'market_cap_rank', 'market_cap_change_24h', 'market_cap_change_percentage_24h']],
  [5, 2, ['total_volume']],
  [6, 4, ['price_change_percentage_7d_in_currency']],
  [4, 1, ['max_supply', 'fully_diluted_valuation']],
];

/** Newly listed and barely traded coins: single figures are missing, and of every tenth coin all of them. */
export function withNulls(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((row: Row, i) => {
    const thin: Row = { ...row };
    for (const [every, at, fields] of THIN) {
      if (i % every === at) for (const field of fields) if (field in thin) thin[field] = null;
    }
    if (i % 10 !== 9) return thin;
    return Object.fromEntries(Object.entries(thin).map(([key, value]) => [key, ALWAYS.has(key) ? value : null]));
  });
}
