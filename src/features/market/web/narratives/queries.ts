import { queryOptions } from '@tanstack/react-query';
import { getTrendingNarratives } from '#features/market/contract/narratives.ts';
import { call } from '#ui/api/client.ts';

export const narrativesQuery = queryOptions({
  queryKey: ['narratives'],
  queryFn: async ({ signal }) => (await call(getTrendingNarratives, {}, signal)).narratives,
  staleTime: 60_000,
  refetchInterval: 300_000,
});
