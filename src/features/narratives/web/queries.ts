import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getTrendingNarratives } from '../contract.ts';

export const narrativesQuery = queryOptions({
  queryKey: ['narratives'],
  queryFn: async ({ signal }) => (await call(getTrendingNarratives, {}, signal)).narratives,
  staleTime: 60_000,
  refetchInterval: 300_000,
});
