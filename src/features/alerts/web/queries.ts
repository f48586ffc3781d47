import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listAlerts } from '../contract.ts';

/** The stream says what is new at once; this is what holds when it does not. */
const POLL_MS = 30_000;

/** The header and the dashboard read 20, the page 100. */
export type AlertsLimit = 20 | 100;

export const alertsQuery = (token: string | null, limit: AlertsLimit) =>
  queryOptions({
    queryKey: ['alerts', token, limit],
    enabled: token !== null,
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => (await call(listAlerts, { query: { limit } }, signal)).alerts,
  });
