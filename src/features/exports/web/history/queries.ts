import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  getHistory,
  type HistoryRecord,
  type HistoryReply,
  type HistoryType,
} from '#features/exports/contract/history.ts';
import { call } from '#ui/api/client.ts';

const PAGE = '100';
const DRAWN = '500';
const MAX_POINTS = 2000;
/** History still being collected is refetched automatically. */
const WHILE_EMPTY_MS = 5_000;

export type Asked = { type: HistoryType; symbol: string; from?: string; to?: string };

const asQuery = ({ symbol, from, to }: Asked) => ({
  ...(symbol ? { symbol } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
});

/** `who` is the plan, which determines the visible history. */
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

/** One series, newest first: as many values as a chart can show. */
export const lineQuery = (asked: Asked, who: string) =>
  queryOptions({
    queryKey: ['history', who, asked, 'line'],
    async queryFn({ signal }) {
      const records: HistoryRecord[] = [];
      let cursor: string | null = null;
      do {
        const query = { ...asQuery(asked), limit: DRAWN, ...(cursor === null ? {} : { cursor }) };
        const page: HistoryReply = await call(getHistory, { params: { type: asked.type }, query }, signal);
        records.push(...page.records);
        cursor = page.nextCursor;
      } while (cursor !== null && records.length < MAX_POINTS);
      return records;
    },
    enabled: asked.symbol !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
