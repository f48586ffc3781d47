import type { ISeriesPrimitive } from 'lightweight-charts';
import { type ComponentType, createContext } from 'react';
import type { CoinRange, Held } from '#features/market/contract/coin-ranges.ts';
import type { TRACKED } from '#features/market/contract/market.ts';

export type Coverage = Pick<Held, 'n' | 'coverage_80'>;
type Own = { provider: string; horizon: string };

/** A forecaster's price range of an asset at the end of a horizon, with 80% and 95% coverage; USD. */
type AssetRange = Own & Pick<CoinRange, 'issued_at' | 'price' | 'range_80' | 'range_95'> & { crypto_symbol: string };

/** Shown below the chart of a coin and draws over it. */
type ChartOverlay = ComponentType<{
  symbol: (typeof TRACKED)[number]['symbol'];
  onDraw: (drawn: ISeriesPrimitive | null) => void;
}>;

/** The newest ranges of the five assets and the hit rate of earlier ones, as on a dashboard. */
export type Expectations = {
  aiAnalysis?: { ranges: readonly AssetRange[]; providers: Record<string, { name: string }> } | undefined;
  backtestResults?: { cells: readonly (Own & { ranges: Coverage | null })[] } | undefined;
  /** The analysis is still to come. */
  isLoading?: boolean;
  /** Past calls of a forecaster. */
  ChartCalls?: ChartOverlay;
};

/** The page's ranges; undefined where it shows no forecast. */
export const ExpectedRanges = createContext<Expectations | undefined>(undefined);
