import type { Generated } from 'kysely';

import type { Method } from '#shared/provenance.ts';

type CoinsTable = {
  id: string;
  key: Generated<number>;
  symbol: string;
  name: string;
  rank: number | null;
  circulating_supply: number | null;
  /** Whether the supply is published by a source or computed from a market cap; null when unknown. */
  supply_method: 'measured' | 'computed' | null;
  max_supply: number | null;
  listed: Generated<boolean>;
  updated_at: string;
};

type Figures = { change_24h: number | null; volume_24h: number | null; market_cap: number | null };
type Birth = { source: string; fetched_at: string; method: Method };

type CoinQuotesTable = Figures &
  Birth & {
    coin_id: string;
    price: number;
    change_7d: number | null;
    low_24h: number | null;
    high_24h: number | null;
    observed_at: string;
  };

type PriceObservationsTable = Figures & Birth & { coin_key: number; observed_at: string; price: number };

export type CandlesTable = Birth & {
  coin_key: number;
  at: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number | null;
  /** Minutes of data the candle covers. */
  minutes: number;
};

type SparklinesTable = Birth & { coin_id: string; points: number[]; observed_at: string };
type CandleBackfillsTable = {
  coin_id: string;
  state: 'complete' | 'unavailable';
  source: string | null;
  note: string | null;
  through: string;
  /** When daily candles before the usual range were requested. */
  older_read_at: Generated<string | null>;
};
type CollectionsTable = { id: Generated<number>; kind: string; finished_at: string };

declare module '#kernel/db.ts' {
  interface Tables {
    coins: CoinsTable;
    coin_quotes: CoinQuotesTable;
    price_observations: PriceObservationsTable;
    candles_1m: CandlesTable;
    candles_1h: CandlesTable;
    candles_1d: CandlesTable;
    sparklines: SparklinesTable;
    candle_backfills: CandleBackfillsTable;
    collections: CollectionsTable;
  }
}

export const PRICE_OBSERVATIONS = { table: 'price_observations', every: 'day' } as const;
export const CANDLES_1M = { table: 'candles_1m', every: 'day' } as const;
export const CANDLES_1H = { table: 'candles_1h', every: 'month' } as const;
