import { createContext } from 'react';

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

/** The newest ranges and how often earlier ones held, as a dashboard has them. */
export type Expectations = {
  aiAnalysis?: { ranges: readonly CoinRange[]; providers: Record<string, { name: string }> } | undefined;
  backtestResults?: { cells: readonly (Own & { ranges: { n: number; coverage_80: number } | null })[] } | undefined;
};

/** Those that the page has; undefined where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | undefined>(undefined);
