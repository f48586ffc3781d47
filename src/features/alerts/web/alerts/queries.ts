import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Alert, type AlertCounts, countAlerts, listAlerts } from '#features/alerts/contract/alerts.ts';
import { call } from '#ui/api/client.ts';
import { useToken } from '#ui/session.ts';
import { useBrowserValue } from '#ui/use-hydrated.tsx';

const KEY = 'lastSeenAlertId';
const MAX_BADGE = 99;

const listeners = new Set<() => void>();
/** Fallback for this page when storage is unavailable. */
let inMemory: number | null = null;

export function lastSeenNow(): number | null {
  try {
    const id = Number(localStorage.getItem(KEY));
    return Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return inMemory;
  }
}

export function saveLastSeen(id: number): void {
  try {
    localStorage.setItem(KEY, String(id));
  } catch {
    inMemory = id;
  }
  for (const listener of listeners) listener();
}

function onLastSeen(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === KEY) listener();
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

/** The newest alert present when the bell was last opened, in any tab. */
export const useLastSeen = (): number | null => useBrowserValue(onLastSeen, lastSeenNow, null);

export const isUnread = ({ id, acknowledged }: Pick<Alert, 'id' | 'acknowledged'>, lastSeen: number | null): boolean =>
  !acknowledged && (lastSeen === null || id > lastSeen);

export const countUnread = (alerts: readonly Alert[], lastSeen: number | null): number =>
  alerts.filter((each) => isUnread(each, lastSeen)).length;

/** '7', '99+' */
export const badgeText = (count: number): string => (count > MAX_BADGE ? `${MAX_BADGE}+` : String(count));

/** The stream delivers new alerts immediately; polling covers its outages. */
const POLL_MS = 30_000;

/** The header and the dashboard fetch 20, the page 100. */
export type AlertsLimit = 20 | 100;

export const alertsQuery = (token: string | null, limit: AlertsLimit) =>
  queryOptions({
    queryKey: ['alerts', token, limit],
    enabled: token !== null,
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    queryFn: async ({ signal }) => (await call(listAlerts, { query: { limit } }, signal)).alerts,
  });

/** `seen` is the newest alert seen, null for none. */
export const alertCountsQuery = (token: string | null, seen: number | null) =>
  queryOptions({
    queryKey: ['alert-counts', token, seen ?? 0],
    enabled: token !== null,
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
    queryFn: ({ signal }) => call(countAlerts, { query: { seen: seen ?? 0 } }, signal),
  });

/** The server's counts; until known, those of the loaded rows. */
export function useAlertCounts(alerts: readonly Alert[], seen: number | null): AlertCounts {
  const { data } = useQuery(alertCountsQuery(useToken(), seen));
  return data ?? { total: alerts.length, unread: countUnread(alerts, seen), newest: alerts[0]?.id ?? 0 };
}
