import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

import { BRAND } from '#shared/brand.ts';

/** The title of a page. Opened by a link, the page begins at its top or at the section its address names; Back is the browser's own. */
export function useTitle(title: string): void {
  const way = useRef(useNavigationType());
  const { hash } = useLocation();
  useEffect(() => {
    document.title = `${title} · ${BRAND.name}`;
  }, [title]);
  useEffect(() => {
    const named = document.getElementById(hash.slice(1));
    if (named) named.scrollIntoView();
    else if (way.current === NavigationType.Push) {
      scrollTo(0, 0);
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    // Address changes of an open page, such as a tab, keep the scroll position.
    way.current = NavigationType.Pop;
  }, [hash]);
}
