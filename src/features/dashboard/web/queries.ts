import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getDashboard } from '../contract.ts';

const REFETCH_MS = 300_000;

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, { query: {} }, signal),
  // Live patches restart the interval, so it counts from the last real answer.
  refetchInterval: ({ state }) =>
    Math.max(1000, REFETCH_MS - (Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt))),
});
