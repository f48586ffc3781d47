import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** A page opened by a link starts at its top, or at the section in its address; Back is left to the browser. */
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
    // Address changes of an open page, such as a tab, keep the scroll position.
    way.current = NavigationType.Pop;
  }, [hash]);
}
