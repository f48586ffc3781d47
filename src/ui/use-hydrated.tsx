import { createContext, type ReactNode, startTransition, use, useEffect, useState, useSyncExternalStore } from 'react';

const isBrowser = typeof document !== 'undefined';
const Hydrated = createContext(isBrowser);

/** Tells its children when the browser has taken the server's markup over: as a transition, which yields to input. */
export function Hydration({ isAhead, children }: { isAhead: boolean; children: ReactNode }) {
  const [isDone, setDone] = useState(!isAhead);
  useEffect(() => startTransition(() => setDone(true)), []);
  return <Hydrated value={isDone}>{children}</Hydrated>;
}

/** False in the server's markup and while the browser takes it over: who is signed in is not known before. */
export const useHydrated = (): boolean => use(Hydrated);

/** What only the browser knows; `before` in the server's markup. */
export function useBrowserValue<T>(subscribe: (changed: () => void) => () => void, read: () => T, before: T): T {
  const isHydrated = useHydrated();
  const value = useSyncExternalStore(subscribe, read, () => (isBrowser ? read() : before));
  return isHydrated ? value : before;
}
