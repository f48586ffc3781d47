import { queryOptions } from '@tanstack/react-query';
import { listIncidents } from '#features/site/contract/status.ts';
import { call } from '#ui/api/client.ts';

export const incidentsQuery = (token: string | null, before: number | null) =>
  queryOptions({
    queryKey: ['incidents', token, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => call(listIncidents, { query: before === null ? {} : { before: String(before) } }, signal),
  });
