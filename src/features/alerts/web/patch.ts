import type { QueryClient } from '@tanstack/react-query';

import type { Alert, RaisedAlert } from '../contract.ts';

/** Changes every list that is held; one that is being read just now may not know of it yet and is read again. */
export function patchAlerts(queries: QueryClient, change: (alerts: readonly Alert[]) => Alert[]): void {
  for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: ['alerts'] })) {
    queries.setQueryData<Alert[]>(queryKey, (old) => old && change(old), { updatedAt: state.dataUpdatedAt });
    if (state.data === undefined || state.fetchStatus === 'fetching') void queries.invalidateQueries({ queryKey });
  }
}

/** The newest first; what came before is not doubled. */
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
