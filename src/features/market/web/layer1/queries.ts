import { queryOptions } from '@tanstack/react-query';
import { getLayer1Data } from '#features/market/contract/layer1.ts';
import { call } from '#ui/api/client.ts';

export const layer1Query = queryOptions({
  queryKey: ['layer1'],
  queryFn: ({ signal }) => call(getLayer1Data, {}, signal),
  staleTime: 60_000,
  refetchInterval: 300_000,
});
