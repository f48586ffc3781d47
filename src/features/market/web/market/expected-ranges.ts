import { createContext } from 'react';

type Range = { low: number; high: number };
type Own = { provider: string; horizon: string };

/** What forecasters expect of prices at the end of each horizon, 80 and 95 times in 100, in USD; as a dashboard holds it. */
export type Expectations = {
  aiAnalysis?:
    | {
        timestamp: string;
        ranges: readonly (Own & { crypto_symbol: string; price: number; range_80: Range; range_95: Range })[];
      }
    | undefined;
  /** How often earlier ranges of a provider and horizon held. */
  backtestResults?: { cells: readonly (Own & { ranges: { n: number; coverage_80: number } | null })[] } | undefined;
};

/** Those that the page has; undefined where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | undefined>(undefined);
