import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';

type CardQuery<T> = Pick<UseQueryResult<T>, 'data' | 'isError' | 'error' | 'refetch'>;

/** The data of a card: its own call, or the part of `past` for an earlier time; null where nothing was stored. */
export function useCard<T, K extends QueryKey>(
  options: UseQueryOptions<T, Error, T, K>,
  past: T | null | undefined,
): CardQuery<T | null> {
  const { data, isError, error, refetch } = useQuery({ ...options, enabled: past === undefined });
  if (past !== undefined) return { data: past, isError: false, error: null, refetch };
  return { data, isError, error, refetch };
}

/** The sentence below the one that says a card is empty. */
export const whyEmpty = (past: unknown): string =>
  past === undefined ? 'Data collection is in progress...' : 'No data was stored for that time.';
