import { queryOptions } from '@tanstack/react-query';
import { getAdvancedMetrics } from '#features/market/contract/metrics.ts';
import { call } from '#ui/api/client.ts';

export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: ({ signal }) => call(getAdvancedMetrics, {}, signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});
