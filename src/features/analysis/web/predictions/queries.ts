import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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
import { call } from '#ui/api/client.ts';

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
      const asked = { ...filter, before: pageParam === null ? null : String(pageParam), limit: PAGE };
      const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
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

/** Asked for by hand: the server reads the whole ledger. */
export const verifyQuery = queryOptions({
  queryKey: ['ledger', 'verify'],
  queryFn: ({ signal }) => call(verifyLedger, {}, signal),
  enabled: false,
  retry: false,
});
