import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getForecaster, getLeague } from '#features/analysis/contract/league.ts';
import {
  type Asset,
  type CallState,
  getBacktest,
  getCalls,
  getLedger,
  type Horizon,
  verifyLedger,
} from '#features/analysis/contract/predictions.ts';
import { getReplay } from '#features/analysis/contract/replay.ts';
import { getCoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { CallError, call } from '#ui/api/client.ts';

export const backtestQuery = queryOptions({
  queryKey: ['backtest'],
  queryFn: ({ signal }) => call(getBacktest, {}, signal),
  staleTime: 60_000,
});

export const replayQuery = queryOptions({
  queryKey: ['replay'],
  queryFn: ({ signal }) => call(getReplay, {}, signal),
  staleTime: 60_000,
});

export const coinRangesRecordQuery = queryOptions({
  queryKey: ['coin-ranges', 'record'],
  queryFn: ({ signal }) => call(getCoinRangesRecord, {}, signal),
  staleTime: 60_000,
});

export const leagueQuery = (horizon: Horizon) =>
  queryOptions({
    queryKey: ['league', horizon],
    queryFn: ({ signal }) => call(getLeague, { query: { horizon } }, signal),
    staleTime: 60_000,
  });

/** There is no such forecaster: retrying changes nothing. */
export const isMissing = (error: Error | null): boolean => error instanceof CallError && error.status === 404;

export const forecasterQuery = (name: string) =>
  queryOptions({
    queryKey: ['league', 'forecaster', name],
    queryFn: ({ signal }) => call(getForecaster, { params: { name } }, signal),
    staleTime: 60_000,
    retry: (failures, error) => failures === 0 && !isMissing(error),
  });

export type CallsFilter = {
  provider: string | null;
  asset: Asset | null;
  horizon: Horizon | null;
  state: CallState | null;
};

const PAGE = '25';

export const callsQuery = (filter: CallsFilter) =>
  infiniteQueryOptions({
    queryKey: ['calls', filter],
    queryFn: ({ pageParam, signal }) => {
      const params = { ...filter, before: pageParam === null ? null : String(pageParam), limit: PAGE };
      const query = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
      return call(getCalls, { query }, signal);
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });

/** The roots; entries are in the export. */
export const rootsQuery = queryOptions({
  queryKey: ['ledger'],
  queryFn: ({ signal }) => call(getLedger, { query: { limit: '1' } }, signal),
  staleTime: 60_000,
});

/** On demand only: the server reads the whole ledger. */
export const verifyQuery = queryOptions({
  queryKey: ['ledger', 'verify'],
  queryFn: ({ signal }) => call(verifyLedger, {}, signal),
  enabled: false,
  retry: false,
});
