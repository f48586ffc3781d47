import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getLayer1Data } from '../contract.ts';

export const layer1Query = queryOptions({
  queryKey: ['layer1'],
  queryFn: ({ signal }) => call(getLayer1Data, {}, signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});
