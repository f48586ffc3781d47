import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type ErrorType, listErrors } from '#features/operations/contract/error-logs.ts';
import { call } from '#ui/api/client.ts';

export type Asked = { type: ErrorType | null; q: string };

const FOLLOW_MS = 30_000;

/** Read again twice a minute while the page is looked at. */
export const errorsQuery = (token: string | null, { type, q }: Asked) =>
  infiniteQueryOptions({
    queryKey: ['error-logs', token, type, q],
    enabled: token !== null,
    queryFn: ({ pageParam, signal }) =>
      call(
        listErrors,
        { query: { ...(type ? { type } : {}), ...(q ? { q } : {}), ...(pageParam ? { before: pageParam } : {}) } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: FOLLOW_MS,
  });
