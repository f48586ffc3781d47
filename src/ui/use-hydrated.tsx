import { createContext, type ReactNode, startTransition, use, useEffect, useState, useSyncExternalStore } from 'react';

const isBrowser = typeof document !== 'undefined';
const Hydrated = createContext(isBrowser);

/** Switches its children from the server's markup to the browser's own state in a transition, which yields to input. */
export function Hydration({ isAhead, children }: { isAhead: boolean; children: ReactNode }) {
  const [isDone, setDone] = useState(!isAhead);
  useEffect(() => startTransition(() => setDone(true)), []);
  return <Hydrated value={isDone}>{children}</Hydrated>;
}

/** False in the server's markup and during hydration, when the user is not yet known. */
export const useHydrated = (): boolean => use(Hydrated);

/** A value only known in the browser; `before` in the server's markup. */
export function useBrowserValue<T>(subscribe: (changed: () => void) => () => void, read: () => T, before: T): T {
  const isHydrated = useHydrated();
  const value = useSyncExternalStore(subscribe, read, () => (isBrowser ? read() : before));
  return isHydrated ? value : before;
}
