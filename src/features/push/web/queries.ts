import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listPushBrowsers, readSimulated } from '../contract.ts';

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
