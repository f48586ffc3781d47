import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** A page opened by a link begins at its top, or at the section its address names; Back is the browser's own. */
export function useArrival(): void {
  const way = useRef(useNavigationType());
  const { hash } = useLocation();
  useEffect(() => {
    const named = hash.length > 1 ? document.getElementById(hash.slice(1)) : null;
    if (named) named.scrollIntoView();
    else if (way.current === NavigationType.Push) {
      scrollTo(0, 0);
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    // What changes in the address of an open page, a tab for example, leaves the scroll position alone.
    way.current = NavigationType.Pop;
  }, [hash]);
}
