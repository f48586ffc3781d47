import { useEffect } from 'react';

import { useLocation } from './router.tsx';

/** A page that was walked to begins at its top, or at the section its address names; Back is the browser's own. */
export function useArrival(): void {
  const { hash, way } = useLocation();
  useEffect(() => {
    const named = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
    if (named) named.scrollIntoView();
    else if (way === 'PUSH') {
      scrollTo(0, 0);
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [way, hash]);
}
