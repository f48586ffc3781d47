import { useSyncExternalStore } from 'react';

import { readNewsVersion, saveNewsVersion } from '#ui/settings.ts';

const listeners = new Set<() => void>();

function onRead(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Whether the release notes of this version are unread in this browser. */
export const useUnreadNews = (): boolean => useSyncExternalStore(onRead, readNewsVersion) !== __VERSION__;

export function markNewsRead(): void {
  saveNewsVersion(__VERSION__);
  for (const listener of listeners) listener();
}
