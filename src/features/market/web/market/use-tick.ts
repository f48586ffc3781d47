import { use, useSyncExternalStore } from 'react';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { ClockContext } from '#ui/now.ts';
import { sourcesText } from './quote.ts';
import { type LiveTick, ticks } from './tick-store.ts';

const none = () => undefined;
const never = () => none;

/** A page of a past moment has no ticks. */
export function useTick(id: string): LiveTick | undefined {
  const { fixed } = use(ClockContext);
  return useSyncExternalStore(
    fixed ? never : (listener) => ticks.subscribe(id, listener),
    fixed ? none : () => ticks.get(id),
    none,
  );
}

/** Names of the sources of these rows' numbers, including ticks. */
export function useSources(rows: readonly CryptoPrice[]): string {
  const { fixed } = use(ClockContext);
  const names = () => sourcesText(rows, fixed ? none : ticks.get);
  return useSyncExternalStore(fixed ? never : ticks.subscribeAll, names, () => sourcesText(rows, none));
}

export function useNewestTick(): LiveTick | undefined {
  const { fixed } = use(ClockContext);
  return useSyncExternalStore(fixed ? never : ticks.subscribeAll, fixed ? none : ticks.newest, none);
}
