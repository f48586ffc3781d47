import { useEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** A page that was walked to begins at its top, or at the section its address names; Back is the browser's own. */
export function useArrival(): void {
  const way = useNavigationType();
  const { hash } = useLocation();
  useEffect(() => {
    const named = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
    if (named) named.scrollIntoView();
    else if (way === NavigationType.Push) {
      scrollTo(0, 0);
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [way, hash]);
}
