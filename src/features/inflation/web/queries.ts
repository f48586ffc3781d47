import { queryOptions } from '@tanstack/react-query';
import {
  type Expectations,
  type Forecast,
  getInflationAt,
  getInflationExpectations,
  getInflationForecasts,
  getInflationReleases,
  getInflationSentiment,
  getLatestInflation,
  type InflationReading,
  type LatestInflation,
  type Release,
} from '#features/inflation/contract.ts';
import { call } from '#ui/api/client.ts';

/** Results of the five requests; a failed one is null. */
export type Inflation = {
  latest: LatestInflation | null;
  releases: Release[] | null;
  forecasts: { cpi: Forecast; pce: Forecast } | null;
  expectations: Expectations | null;
  reading: InflationReading | null;
};

const RELEASE_DAYS = '7';

const settledValue = <T>(result: PromiseSettledResult<T>): T | null =>
  result.status === 'fulfilled' ? result.value : null;

/** Throws when all five requests failed. */
async function readInflation(signal: AbortSignal): Promise<Inflation> {
  const calls = await Promise.allSettled([
    call(getLatestInflation, {}, signal),
    call(getInflationReleases, { query: { days: RELEASE_DAYS } }, signal),
    call(getInflationForecasts, {}, signal),
    call(getInflationExpectations, {}, signal),
    call(getInflationSentiment, {}, signal),
  ]);
  const [latest, releases, forecasts, expectations, sentiment] = calls;
  if (latest.status === 'rejected' && calls.every(({ status }) => status === 'rejected')) throw latest.reason;
  return {
    latest: settledValue(latest),
    releases: settledValue(releases)?.releases ?? null,
    forecasts: settledValue(forecasts)?.forecasts ?? null,
    expectations: settledValue(expectations)?.expectations ?? null,
    reading: settledValue(sentiment)?.data ?? null,
  };
}

export const inflationQuery = queryOptions({
  queryKey: ['inflation'],
  queryFn: ({ signal }) => readInflation(signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});

/** The card at a past moment, which never changes. */
export const inflationAtQuery = (asOf: string) =>
  queryOptions({
    queryKey: ['inflation-at', asOf],
    queryFn: ({ signal }): Promise<Inflation> => call(getInflationAt, { query: { asOf } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
