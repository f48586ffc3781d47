import { queryOptions } from '@tanstack/react-query';
import { listPushBrowsers, readSimulated } from '#features/notifications/contract/push.ts';
import { call } from '#ui/api/client.ts';

export const pushBrowsersQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['push-browsers', token],
    queryFn: ({ signal }) => call(listPushBrowsers, {}, signal),
    enabled: token !== null,
  });

const AGAIN_MS = 3000;

export const simulatedQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['push-browsers', token, 'simulated'],
    queryFn: ({ signal }) => call(readSimulated, {}, signal),
    enabled: token !== null,
    refetchInterval: AGAIN_MS,
  });
