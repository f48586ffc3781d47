import { queryOptions } from '@tanstack/react-query';
import { readOpenApi } from '#features/api/contract/api.ts';
import { call } from '#ui/api/client.ts';
import type { OpenApi } from './document.ts';

const HOUR_MS = 3_600_000;

export const DOCUMENT_ADDRESS = readOpenApi.path;

export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => (await call(readOpenApi, {}, signal)) as unknown as OpenApi,
  staleTime: HOUR_MS,
});
