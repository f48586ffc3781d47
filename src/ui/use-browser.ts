import { useCallback } from 'react';
import { useBrowserValue } from './use-hydrated.tsx';

const never = () => () => {};

/** Origin of this server as used by the browser; empty in the server's markup. */
export const useOrigin = (): string => useBrowserValue(never, () => location.origin, '');

/** Whether a media query matches; false in the server's markup. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useBrowserValue(subscribe, () => matchMedia(query).matches, false);
}
