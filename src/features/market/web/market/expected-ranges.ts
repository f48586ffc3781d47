import type { ISeriesPrimitive } from 'lightweight-charts';
import { type ComponentType, createContext } from 'react';
import type { TRACKED } from '#features/market/contract/market.ts';

type Range = { low: number; high: number };
type Own = { provider: string; horizon: string };

/** Where a forecaster expects a coin's price at the end of a horizon, 80 and 95 times in 100; USD. */
type CoinRange = Own & {
  crypto_symbol: string;
  issued_at: string;
  price: number;
  range_80: Range;
  range_95: Range;
};

/** Stands below the chart of a coin and draws over it. */
type ChartOverlay = ComponentType<{
  symbol: (typeof TRACKED)[number]['symbol'];
  onDraw: (drawn: ISeriesPrimitive | null) => void;
}>;

/** The newest ranges and how often earlier ones held, as a dashboard has them. */
export type Expectations = {
  aiAnalysis?: { ranges: readonly CoinRange[]; providers: Record<string, { name: string }> } | undefined;
  backtestResults?: { cells: readonly (Own & { ranges: { n: number; coverage_80: number } | null })[] } | undefined;
  /** Past calls of a forecaster. */
  ChartCalls?: ChartOverlay;
};

/** Those that the page has; undefined where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | undefined>(undefined);
