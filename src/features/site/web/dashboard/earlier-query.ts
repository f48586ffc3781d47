import { queryOptions } from '@tanstack/react-query';
import { getDashboard } from '#features/site/contract/dashboard.ts';
import { call } from '#ui/api/client.ts';

/** The dashboard at `asOf`, which never changes. */
export const dashboardAtQuery = (asOf: string) =>
  queryOptions({
    queryKey: ['dashboard-at', asOf],
    queryFn: ({ signal }) => call(getDashboard, { query: { asOf } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
