import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ErrorState } from './states.tsx';

type Props<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'error' | 'refetch'>;
  loading: ReactNode;
  /** The sentence of the specification; the server's own words go below it. */
  failed: string;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  /** Holds the error and the empty state, for a card whose loaded state draws its own frame. */
  frame?: (state: ReactNode) => ReactNode;
  children: (data: T) => ReactNode;
};

/** The four states every card has: loading, error, empty, loaded. Numbers once shown stay when a later read fails. */
export function QueryView<T>({ query, loading, failed, isEmpty, empty, frame = (state) => state, children }: Props<T>) {
  if (query.data !== undefined) return isEmpty?.(query.data) ? frame(empty) : children(query.data);
  if (query.isError)
    return frame(<ErrorState message={failed} detail={query.error?.message} onRetry={() => void query.refetch()} />);
  return loading;
}
