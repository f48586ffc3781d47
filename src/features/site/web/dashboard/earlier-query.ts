import { queryOptions } from '@tanstack/react-query';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { call } from '#ui/api/client.ts';

/** The dashboard as it stood at `asOf`; it never changes again. */
export const dashboardAtQuery = (asOf: string) =>
  queryOptions({
    queryKey: ['dashboard-at', asOf],
    queryFn: ({ signal }) => call(getDashboard, { query: { asOf } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
