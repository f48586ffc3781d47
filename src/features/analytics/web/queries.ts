import { queryOptions } from '@tanstack/react-query';
import { collectAdvancedData, getCorrelation, getRisk, getSummary } from '#features/analytics/contract.ts';
import { listCandles } from '#features/market/contract/market.ts';
import { getDerivatives, getMarketSentiment, getOnchain } from '#features/market/contract/metrics.ts';
import { call } from '#ui/api/client.ts';
import type { Asset, Timeframe } from './view.ts';

const FRESH = { staleTime: 60_000, refetchInterval: 300_000 } as const;
const WHILE_COLLECTING_MS = 5_000;
const YEAR_MS = 365.25 * 86_400_000;
const DAILY_YEARS = 5;

/** Days go back five years; other intervals use the server's default range. */
export const chartQuery = (symbol: Asset, timeframe: Timeframe) =>
  queryOptions({
    queryKey: ['analytics', 'candles', symbol, timeframe],
    queryFn: ({ signal }) => {
      const since = timeframe === 'D' && { from: new Date(Date.now() - DAILY_YEARS * YEAR_MS).toISOString() };
      return call(listCandles, { query: { symbol, interval: timeframe, ...since } }, signal);
    },
    staleTime: 15_000,
    refetchInterval: ({ state }) => (state.data?.history === 'loading' ? WHILE_COLLECTING_MS : 60_000),
  });

export const summaryQuery = queryOptions({
  ...FRESH,
  queryKey: ['analytics', 'summary'],
  queryFn: ({ signal }) => call(getSummary, {}, signal),
});

export const WINDOWS = ['30d', '90d', '365d'] as const;
export const toDays = (window: (typeof WINDOWS)[number]) => window.replace('d', '') as Days;
type Days = '30' | '90' | '365';

export const riskQuery = (days: Days) =>
  queryOptions({
    ...FRESH,
    queryKey: ['analytics', 'risk', days],
    queryFn: ({ signal }) => call(getRisk, { query: { days } }, signal),
  });

export const matrixQuery = (days: Days, assets: '5' | '20') =>
  queryOptions({
    ...FRESH,
    queryKey: ['correlation', days, assets],
    queryFn: ({ signal }) => call(getCorrelation, { query: { days, assets } }, signal),
  });

export const sentimentQuery = queryOptions({
  ...FRESH,
  queryKey: ['analytics', 'sentiment'],
  queryFn: ({ signal }) => call(getMarketSentiment, {}, signal),
});

export const derivativesQuery = queryOptions({
  ...FRESH,
  queryKey: ['analytics', 'derivatives'],
  queryFn: ({ signal }) => call(getDerivatives, {}, signal),
});

export const onchainQuery = queryOptions({
  ...FRESH,
  queryKey: ['analytics', 'onchain'],
  queryFn: ({ signal }) => call(getOnchain, {}, signal),
});

export const collectNow = () => call(collectAdvancedData, {});
