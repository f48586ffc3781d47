import type { Query, QueryClient } from '@tanstack/react-query';

import type { Alert, AlertCounts, RaisedAlert } from '#features/alerts/contract/alerts.ts';

const KEY = ['alerts'] as const;
const COUNTS_KEY = ['alert-counts'] as const;

/** Updates every cached list; one being fetched may lack the change and is refetched. */
export function patchAlerts(queries: QueryClient, change: (alerts: readonly Alert[]) => Alert[]): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: KEY })) {
    const { data, dataUpdatedAt, fetchStatus } = query.state;
    queries.setQueryData<Alert[]>(query.queryKey, (old) => old && change(old), { updatedAt: dataUpdatedAt });
    if (data === undefined || fetchStatus === 'fetching') readAgain(queries, query);
  }
}

/** Alerts raised before the stream was open are in no frame. */
export function readAlertsAgain(queries: QueryClient): void {
  for (const queryKey of [KEY, COUNTS_KEY])
    for (const query of queries.getQueryCache().findAll({ queryKey })) readAgain(queries, query);
}

/** A first read in progress is not restarted, so the second waits for it. */
function readAgain(queries: QueryClient, { queryKey, state, promise }: Query): void {
  const again = () => void queries.invalidateQueries({ queryKey });
  if (state.data === undefined && state.fetchStatus === 'fetching' && promise) promise.then(again, () => undefined);
  else again();
}

/** Newest first, without duplicates. */
export function withRaised(raised: readonly RaisedAlert[]) {
  return (alerts: readonly Alert[]): Alert[] => {
    const known = new Set(alerts.map(({ id }) => id));
    const added = raised.filter(({ id }) => !known.has(id)).map((each) => ({ ...each, acknowledged: false }));
    return [...added, ...alerts].toSorted((a, b) => b.id - a.id);
  };
}

export function withAcknowledged(id: number) {
  return (alerts: readonly Alert[]): Alert[] =>
    alerts.map((each) => (each.id === id ? { ...each, acknowledged: true } : each));
}

/** Adjusts the cached counts until the next poll. */
function patchCounts(queries: QueryClient, change: (counts: AlertCounts, seen: number) => AlertCounts): void {
  for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: COUNTS_KEY }))
    queries.setQueryData<AlertCounts>(queryKey, (old) => old && change(old, Number(queryKey[2])), {
      updatedAt: state.dataUpdatedAt,
    });
}

export const countRaised = (queries: QueryClient, raised: readonly RaisedAlert[]): void =>
  patchCounts(queries, ({ total, unread, newest }) => {
    const added = raised.filter(({ id }) => id > newest);
    return {
      total: total + added.length,
      unread: unread + added.length,
      newest: Math.max(newest, ...added.map(({ id }) => id)),
    };
  });

export const countAcknowledged = (queries: QueryClient, id: number): void =>
  patchCounts(queries, (counts, seen) => (id > seen ? { ...counts, unread: Math.max(0, counts.unread - 1) } : counts));
