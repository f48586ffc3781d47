import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { readOpenApi } from '../contract.ts';
import type { OpenApi } from './document.ts';

const HOUR_MS = 3_600_000;

export const DOCUMENT_ADDRESS = readOpenApi.path;

export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => (await call(readOpenApi, {}, signal)) as unknown as OpenApi,
  staleTime: HOUR_MS,
});
