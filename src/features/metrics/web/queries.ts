import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getAdvancedMetrics } from '../contract.ts';

export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: ({ signal }) => call(getAdvancedMetrics, {}, signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});
