import { useSyncExternalStore } from 'react';

import type { Alert } from '../contract.ts';

const KEY = 'lastSeenAlertId';
const MOST = 99;

const listeners = new Set<() => void>();
/** Where storage is closed it holds for this page. */
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

/** The newest alert that had come when the bell was last opened, in whichever tab. */
export const useLastSeen = (): number | null => useSyncExternalStore(onLastSeen, lastSeenNow, () => null);

export const isUnread = ({ id, acknowledged }: Pick<Alert, 'id' | 'acknowledged'>, lastSeen: number | null): boolean =>
  !acknowledged && (lastSeen === null || id > lastSeen);

export const unreadOf = (alerts: readonly Alert[], lastSeen: number | null): number =>
  alerts.filter((each) => isUnread(each, lastSeen)).length;

/** '7', '99+' */
export const badgeOf = (count: number): string => (count > MOST ? `${MOST}+` : String(count));
