import { COIN_PREFIX } from './figures.ts';

/**
 * The metrics an alert rule can watch, with unit, display and comparison precision, hysteresis margin, and evaluation
 * cadence.
 */
export type Watched = {
  name: string;
  kind: 'number' | 'direction';
  /** As on the wire. */
  unit: 'USD' | 'BTC' | '%' | 'index' | 'ratio' | 'direction';
  /** Decimals shown; "equals" means equal at these. */
  decimals: number;
  /** Hysteresis: how far the value has to return, as a share of the level or in its own unit. */
  margin: { share: number } | { units: number };
  /** How often it is evaluated, as user-facing text. */
  cadence: string;
  /** The coin whose price is compared after an alert fires. */
  coinId: string;
};

const price = (name: string, coinId: string): Watched => ({
  name,
  kind: 'number',
  unit: 'USD',
  decimals: 2,
  margin: { share: 0.002 },
  cadence: 'with every price, about once a second',
  coinId,
});

const direction = (name: string): Watched => ({
  name,
  kind: 'direction',
  unit: 'direction',
  decimals: 0,
  margin: { units: 0 },
  cadence: 'with every analysis, hourly on weekdays',
  coinId: 'bitcoin',
});

const COLLECTED = 'with every collection, about every 5 minutes';
const DAILY = 'when its daily figure is published; checked every 30 minutes';

export const WATCHED = {
  btc_price: price('Bitcoin price', 'bitcoin'),
  eth_price: price('Ethereum price', 'ethereum'),
  sol_price: price('Solana price', 'solana'),
  ssr: {
    name: 'Stablecoin supply ratio (SSR)',
    kind: 'number',
    unit: 'ratio',
    decimals: 2,
    margin: { share: 0.01 },
    cadence: COLLECTED,
    coinId: 'bitcoin',
  },
  btc_dominance: {
    name: 'Bitcoin dominance',
    kind: 'number',
    unit: '%',
    decimals: 2,
    margin: { units: 0.2 },
    cadence: COLLECTED,
    coinId: 'bitcoin',
  },
  exchange_flow: {
    name: 'Bitcoin net flow to exchanges, 24h',
    kind: 'number',
    unit: 'BTC',
    decimals: 0,
    margin: { units: 100 },
    cadence: DAILY,
    coinId: 'bitcoin',
  },
  fear_greed: {
    name: 'Fear and greed index',
    kind: 'number',
    unit: 'index',
    decimals: 0,
    margin: { units: 1 },
    cadence: DAILY,
    coinId: 'bitcoin',
  },
  vix: {
    name: 'VIX, daily close',
    kind: 'number',
    unit: 'index',
    decimals: 2,
    margin: { share: 0.01 },
    cadence: DAILY,
    coinId: 'bitcoin',
  },
  dxy: {
    name: 'Broad US dollar index',
    kind: 'number',
    unit: 'index',
    decimals: 2,
    margin: { share: 0.002 },
    cadence: DAILY,
    coinId: 'bitcoin',
  },
  volume_24h: {
    name: 'Market volume, 24h',
    kind: 'number',
    unit: 'USD',
    decimals: 0,
    margin: { share: 0.01 },
    cadence: COLLECTED,
    coinId: 'bitcoin',
  },
  ai_prediction_short: direction('AI prediction, short term'),
  ai_prediction_medium: direction('AI prediction, medium term'),
  ai_prediction_long: direction('AI prediction, long term'),
  ai_prediction_overall: direction('AI prediction, overall'),
} as const satisfies Record<string, Watched>;

export type WatchedMetric = keyof typeof WATCHED;

/** The entry of a metric, generated for the price of a coin. Undefined for metrics that are not watched. */
export function findWatched(metric: string): Watched | undefined {
  if (Object.hasOwn(WATCHED, metric)) return WATCHED[metric as WatchedMetric];
  if (!metric.startsWith(COIN_PREFIX)) return undefined;
  const coinId = metric.slice(COIN_PREFIX.length);
  return /^[a-z0-9._-]{1,80}$/.test(coinId)
    ? { ...price(`${coinId} price`, coinId), decimals: 6, cadence: 'with every price of the coin' }
    : undefined;
}

/** The coin that a price metric belongs to; undefined for any other metric. */
export const pricedCoin = (metric: string): string | undefined =>
  metric.startsWith(COIN_PREFIX) || metric.endsWith('_price') ? findWatched(metric)?.coinId : undefined;

export const DIRECTIONS = ['BEARISH', 'NEUTRAL', 'BULLISH'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Directions compare on the scale bearish < neutral < bullish. */
export const DIRECTION_VALUE: Record<Direction, -1 | 0 | 1> = { BEARISH: -1, NEUTRAL: 0, BULLISH: 1 };
export const directionOf = (value: number): Direction => DIRECTIONS[Math.sign(value) + 1] ?? 'NEUTRAL';

export const NUMBER_CONDITIONS = [
  'above',
  'below',
  'equals',
  'changes_by',
  'changes_by_sigma',
  'leaves_range',
] as const;
export const DIRECTION_CONDITIONS = [
  'above',
  'below',
  'equals',
  'changes_to_bullish',
  'changes_to_bearish',
  'changes_to_neutral',
  'becomes_bullish',
  'becomes_bearish',
  'becomes_neutral',
] as const;
