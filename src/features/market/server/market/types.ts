import type { Method } from '#shared/provenance.ts';

/** One coin in a price list. USD and percent; observedAt is the source's own time. */
export type ListedCoin = {
  id: string;
  symbol: string;
  name: string;
  rank: number | null;
  price: number;
  change_24h: number | null;
  change_7d: number | null;
  low_24h: number | null;
  high_24h: number | null;
  volume_24h: number | null;
  market_cap: number | null;
  circulating_supply: number | null;
  max_supply: number | null;
  observedAt: Date;
  /** Hourly closes of the last seven days, oldest first. */
  sparkline?: number[];
};

export type Listing = {
  source: string;
  coins: ListedCoin[];
  fetchedAt: Date;
  method: Method;
  /** Whether circulating supplies are published by the source or computed from its market caps. */
  supplyMethod: 'measured' | 'computed';
};

/** A known coin, to match quotes with before a price list arrives. */
export type KnownCoin = {
  id: string;
  symbol: string;
  name: string;
  price: number | null;
  circulating_supply: number | null;
};

/** A source of price lists; throws SourceError. */
export type ListingProvider = {
  source: string;
  list: (options: { limit: number; sparkline: boolean; known: KnownCoin[]; signal: AbortSignal }) => Promise<Listing>;
};

/** A trade price from a venue, in its own quote currency. */
export type VenueTick = { symbol: string; quote: 'USD' | 'USDT'; price: number; observedAt: Date };

/** An open–high–low–close bar; `minutes` is its coverage. Volume in USD. */
export type Bar = {
  at: Date;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number | null;
  minutes: number;
};

export type BarInterval = '5m' | '1h' | '1d';
export type CandleProvider = {
  source: string;
  /** How many days of daily bars it has; null for no limit. */
  daysBack: number | null;
  /** undefined: this source does not have the coin. */
  bars: (
    coin: Pick<KnownCoin, 'id' | 'symbol'>,
    interval: BarInterval,
    from: Date,
    to: Date,
    signal: AbortSignal,
  ) => Promise<Bar[] | undefined>;
  method: Method;
};
