import { createContext } from 'react';

type Range = { low: number; high: number };
type Own = { provider: string; horizon: string };

/** What forecasters expect of prices at the end of each horizon, 80 and 95 times in 100; USD. */
export type Expectations = {
  issuedAt: string;
  ranges: readonly (Own & { crypto_symbol: string; price: number; range_80: Range; range_95: Range })[];
  /** How often earlier ranges of a provider and horizon held. */
  records: readonly (Own & { ranges: { n: number; coverage_80: number } | null })[];
};

/** Those that the page has; null where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | null>(null);
