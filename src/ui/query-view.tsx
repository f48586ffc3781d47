import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';

import { CardFrame, type CardPlace } from './card-frame.tsx';
import { ErrorState } from './states.tsx';

/** What a view needs of a query. */
export type Query<T> = Pick<UseQueryResult<T>, 'data' | 'isError' | 'error'> & { refetch: () => unknown };

type Props<T> = {
  query: Query<T>;
  /** Frames all states but the loaded one, which draws its own card. */
  card?: CardPlace;
  /** Shown instead of the skeleton of `card`. */
  loading?: ReactNode;
  /** The sentence of the specification; the server's own words go below it. */
  failed: string;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

/** The four states every card has: loading, error, empty, loaded. Numbers once shown stay when a later read fails. */
export function QueryView<T>({ query, card, loading, failed, isEmpty, empty, children }: Props<T>) {
  const { isError, error, refetch } = query;
  // What arrives first is drawn in slices that yield to input.
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
