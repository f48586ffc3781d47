import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ErrorState } from './states.tsx';

type Props<T> = {
  query: UseQueryResult<T>;
  loading: ReactNode;
  /** The sentence of the specification; the server's own words go below it. */
  failed: string;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

/** The four states every card has: loading, error, empty, loaded. Numbers once shown stay when a later read fails. */
export function QueryView<T>({ query, loading, failed, isEmpty, empty, children }: Props<T>) {
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data);
  if (query.isError)
    return <ErrorState message={failed} detail={query.error.message} onRetry={() => void query.refetch()} />;
  return loading;
}
