import { useSyncExternalStore } from 'react';

import { type LiveTick, ticks } from './tick-store.ts';

const none = () => undefined;

export function useTick(id: string): LiveTick | undefined {
  return useSyncExternalStore(
    (listener) => ticks.subscribe(id, listener),
    () => ticks.get(id),
    none,
  );
}

export function useNewestTick(): LiveTick | undefined {
  return useSyncExternalStore(ticks.subscribeAll, ticks.newest, none);
}
