import type { Config } from '#kernel/config.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import type { Method } from '#shared/provenance.ts';

/** Inputs of a figure, stored with it. */
export type Detail = {
  venues?: string[];
  terms?: string;
  historyDays?: number;
  collectedHours?: number;
  [more: string]: unknown;
};

/** One value of a metric from an adapter, in the metric's unit (see metrics.ts); a missing value is never a zero. */
export type Observation = {
  metric: string;
  value: number;
  /** The source's own time, or the time of the response if it has none. */
  observedAt: Date;
  method?: Method;
  detail?: Detail;
  /** The source has no timestamp: while its value is unchanged, it is as old as when first seen. */
  undated?: boolean;
};

/** Market data adapters need for converting coins to USD. */
export type MarketFacts = {
  /** USD; null while unknown. */
  priceOf: (symbol: string) => number | null;
  /** A coin's figures from our last CoinGecko price list; undefined when it is not listed. */
  listed: (id: string) => ListedFigures | undefined;
};

/** USD and percent. */
export type ListedFigures = {
  id: string;
  symbol: string;
  name: string;
  price: number;
  change_24h: number | null;
  market_cap: number | null;
  volume_24h: number | null;
  observedAt: number;
};

export type ReadContext = {
  now: Date;
  config: Config;
  signal: AbortSignal;
  market: MarketFacts;
  /** Values stored earlier by this source, or by anyone, since `from`, oldest first. */
  stored: (metric: string, from: Date, by?: 'anyone') => Promise<StoredObservation[]>;
};

/** How often a source is read: with the price list, with the slow lane, or block by block every ten minutes. */
export type Lane = 'listing' | 'slow' | 'blocks';

/** An adapter for one source's metrics. Both functions throw SourceError. */
export type MetricSource = {
  source: string;
  lane: Lane;
  /**
   * Minimum interval, for sources that change rarely, are large or have a call budget; null: not read with this
   * configuration.
   */
  everyMs?: number | ((config: Config) => number | null);
  /** The source's current values. Unavailable parts are omitted. */
  read: (client: SourceClient, ask: ReadContext) => Promise<Observation[]>;
  /** Its history since `from`, each value with its true time; absent if the source has none. */
  past?: (client: SourceClient, from: Date, ask: ReadContext) => Promise<Observation[]>;
};

/** One liquidated position, in USD. `key` identifies it within the venue. */
export type ForcedClose = { side: 'long' | 'short'; at: Date; usd: number; key: string };

export type StoredObservation = {
  metric: string;
  source: string;
  observed_at: string;
  value: number;
  detail: Detail | null;
  fetched_at: string;
  method: Method;
};

/** The simulated market at any moment. */
export type PastMarket = {
  config: Config;
  moveTo: (moment: Date) => Promise<void>;
  close: () => Promise<void>;
};
