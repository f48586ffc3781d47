import type { Config } from '#kernel/config.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import type { Method } from '#shared/provenance.ts';

/** What a figure was made of, kept beside it. */
export type Detail = {
  venues?: string[];
  terms?: string;
  historyDays?: number;
  collectedHours?: number;
  [more: string]: unknown;
};

/** One value of one metric as its adapter gives it, in the metric's unit (see metrics.ts); never a zero for a missing value. */
export type Observation = {
  metric: string;
  value: number;
  /** The source's own time, or the moment of the answer when it gives none. */
  observedAt: Date;
  method?: Method;
  detail?: Detail;
  /** The source gives no time: while its value stays the very same, it is as old as when it was first seen. */
  undated?: boolean;
};

/** The market as adapters need it to turn coins into USD. */
export type MarketFacts = {
  /** USD; null while unknown. */
  priceOf: (symbol: string) => number | null;
  /** What CoinGecko's price list says of a coin, of our own last reading; undefined when it is not on it. */
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

export type Ask = {
  now: Date;
  config: Config;
  signal: AbortSignal;
  market: MarketFacts;
  /** What this source, or anyone, has given before, since `from`, oldest first. */
  stored: (metric: string, from: Date, by?: 'anyone') => Promise<StoredObservation[]>;
};

/** How often a source is read: with the price list, with the slow lane, or block by block every ten minutes. */
export type Lane = 'listing' | 'slow' | 'blocks';

/** An adapter: one source's share of the metrics. Both functions throw SourceError. */
export type MetricSource = {
  source: string;
  lane: Lane;
  /** It is read no more often than this, for sources that change rarely, are large or are counted; null: not with this configuration. */
  everyMs?: number | ((config: Config) => number | null);
  /** What the source says now. A part it does not give is left out. */
  read: (client: SourceClient, ask: Ask) => Promise<Observation[]>;
  /** Its past since `from`, each value with its true time; absent where a source gives none. */
  past?: (client: SourceClient, from: Date, ask: Ask) => Promise<Observation[]>;
};

/** One position that a venue closed by force, in USD. `key` tells it from every other close of the venue. */
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

/** The simulated market at a moment of one's choice. */
export type PastMarket = {
  config: Config;
  moveTo: (moment: Date) => Promise<void>;
  close: () => Promise<void>;
};
