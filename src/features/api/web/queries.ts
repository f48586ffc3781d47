import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { call } from '#web/api/client.ts';

import type { OpenApi } from './document.ts';

const HOUR_MS = 3_600_000;
const readDocument = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  reply: z.custom<OpenApi>((value) => typeof (value as OpenApi | null)?.paths === 'object'),
});

export const DOCUMENT_ADDRESS = readDocument.path;

export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal }) => call(readDocument, {}, signal),
  staleTime: HOUR_MS,
});
