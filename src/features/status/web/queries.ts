import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listIncidents } from '../contract.ts';

export const incidentsQuery = (token: string | null, before: number | null) =>
  queryOptions({
    queryKey: ['incidents', token, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => call(listIncidents, { query: before === null ? {} : { before: String(before) } }, signal),
  });
