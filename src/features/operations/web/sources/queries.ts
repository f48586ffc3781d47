import { queryOptions } from '@tanstack/react-query';
import { type AdminSource, listAdminSources, listSources } from '#features/operations/contract/sources.ts';
import { call } from '#ui/api/client.ts';

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => call(listSources, {}, signal),
  staleTime: 15_000,
  refetchInterval: 60_000,
});

const FOLLOWED_MS = 1_500;
const QUIET_MS = 15_000;

export const isUnderWay = ({ run }: AdminSource): boolean => run?.state === 'waiting' || run?.state === 'running';

/** Refetched often while a manual run is in progress. */
export const adminSourcesQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['admin-sources', token],
    queryFn: ({ signal }) => call(listAdminSources, {}, signal),
    refetchInterval: ({ state }) => (state.data?.sources.some(isUnderWay) ? FOLLOWED_MS : QUIET_MS),
  });
