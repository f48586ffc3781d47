import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getHistory, type HistoryType } from '../contract.ts';

const PAGE = '100';
const DRAWN = '500';
/** A past that is still collected appears by itself. */
const WHILE_EMPTY_MS = 5_000;

export type Asked = { type: HistoryType; symbol: string; from?: string; to?: string };

const asQuery = ({ symbol, from, to }: Asked) => ({
  ...(symbol ? { symbol } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
});

/** `who` is the plan: another one sees another past. */
export const historyQuery = (asked: Asked, who: string) =>
  infiniteQueryOptions({
    queryKey: ['history', who, asked],
    queryFn: ({ pageParam, signal }) =>
      call(
        getHistory,
        {
          params: { type: asked.type },
          query: { ...asQuery(asked), limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.records.length === 0 ? WHILE_EMPTY_MS : false),
    staleTime: 60_000,
  });

/** As much of one series as a line can show. */
export const lineQuery = (asked: Asked, who: string) =>
  queryOptions({
    queryKey: ['history', who, asked, 'line'],
    queryFn: ({ signal }) =>
      call(getHistory, { params: { type: asked.type }, query: { ...asQuery(asked), limit: DRAWN } }, signal),
    enabled: asked.symbol !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
