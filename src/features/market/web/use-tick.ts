import { use, useSyncExternalStore } from 'react';

import { ClockContext } from '#web/ui/now.ts';

import { type LiveTick, ticks } from './tick-store.ts';

const none = () => undefined;
const never = () => none;

/** A page of an earlier moment has no ticks. */
export function useTick(id: string): LiveTick | undefined {
  const { fixed } = use(ClockContext);
  return useSyncExternalStore(
    fixed ? never : (listener) => ticks.subscribe(id, listener),
    fixed ? none : () => ticks.get(id),
    none,
  );
}

export function useNewestTick(): LiveTick | undefined {
  const { fixed } = use(ClockContext);
  return useSyncExternalStore(fixed ? never : ticks.subscribeAll, fixed ? none : ticks.newest, none);
}
