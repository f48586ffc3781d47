import { queryOptions } from '@tanstack/react-query';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { call } from '#ui/api/client.ts';

const REFETCH_MS = 300_000;

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, { query: {} }, signal),
  // Live patches restart the interval, so it counts from the last response.
  refetchInterval: ({ state }) =>
    Math.max(1000, REFETCH_MS - (Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt))),
});
