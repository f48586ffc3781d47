import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listSources } from '../contract.ts';

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => call(listSources, {}, signal),
  staleTime: 15_000,
  refetchInterval: 60_000,
});
