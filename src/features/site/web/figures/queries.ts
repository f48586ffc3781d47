import { queryOptions } from '@tanstack/react-query';
import { getFigure } from '#features/site/contract/figures.ts';
import { CallError, call } from '#ui/api/client.ts';

const AGAIN_MS = 30_000;
const WHILE_LOADING_MS = 5_000;

/** There is no such figure: retrying changes nothing. */
export const isUnknown = (error: Error | null): boolean =>
  error instanceof CallError && (error.status === 404 || error.status === 400);

export const figureQuery = (metric: string) =>
  queryOptions({
    queryKey: ['figure', metric],
    queryFn: ({ signal }) => call(getFigure, { params: { metric } }, signal),
    refetchInterval: ({ state: { data, error } }) =>
      isUnknown(error) ? false : data?.history.state === 'loading' ? WHILE_LOADING_MS : AGAIN_MS,
    staleTime: AGAIN_MS,
    retry: (failures, error) => failures === 0 && !isUnknown(error),
  });
