import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';

import { CardFrame, type CardPlace } from './card-frame.tsx';
import { ErrorState } from './states.tsx';

/** The part of a query that a view uses. */
export type Query<T> = Pick<UseQueryResult<T>, 'data' | 'isError' | 'error'> & { refetch: () => unknown };

type Props<T> = {
  query: Query<T>;
  /** Wraps all states except the loaded one, which renders its own card. */
  card?: CardPlace;
  /** Shown instead of the skeleton of `card`. */
  loading?: ReactNode;
  /** The error text of the specification; the server's own message follows below. */
  failed: string;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

/** The four states of every card: loading, error, empty, loaded. Data already shown stays when a later read fails. */
export function QueryView<T>({ query, card, loading, failed, isEmpty, empty, children }: Props<T>) {
  const { isError, error, refetch } = query;
  // The first data is rendered in slices that yield to input.
  const hasArrived = useDeferredValue(query.data !== undefined);
  const data = hasArrived ? query.data : undefined;
  if (data !== undefined && !isEmpty?.(data)) return children(data);
  const state =
    data === undefined ? (
      isError && <ErrorState message={failed} detail={error?.message} onRetry={() => void refetch()} />
    ) : (
      <>{empty}</>
    );
  if (card) return <CardFrame {...card}>{state || loading}</CardFrame>;
  return state || loading;
}
