import type { ISeriesPrimitive } from 'lightweight-charts';
import { type ComponentType, createContext } from 'react';
import type { CoinRange, Held } from '#features/market/contract/coin-ranges.ts';
import type { TRACKED } from '#features/market/contract/market.ts';

export type Coverage = Pick<Held, 'n' | 'coverage_80'>;
type Own = { provider: string; horizon: string };

/** Where a forecaster expects an asset's price at the end of a horizon, 80 and 95 times in 100; USD. */
type AssetRange = Own & Pick<CoinRange, 'issued_at' | 'price' | 'range_80' | 'range_95'> & { crypto_symbol: string };

/** Stands below the chart of a coin and draws over it. */
type ChartOverlay = ComponentType<{
  symbol: (typeof TRACKED)[number]['symbol'];
  onDraw: (drawn: ISeriesPrimitive | null) => void;
}>;

/** The newest ranges of the five assets and how often earlier ones held, as a dashboard has them. */
export type Expectations = {
  aiAnalysis?: { ranges: readonly AssetRange[]; providers: Record<string, { name: string }> } | undefined;
  backtestResults?: { cells: readonly (Own & { ranges: Coverage | null })[] } | undefined;
  /** Past calls of a forecaster. */
  ChartCalls?: ChartOverlay;
};

/** Those that the page has; undefined where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | undefined>(undefined);
