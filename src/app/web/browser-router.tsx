import { type ReactNode, useEffect, useLayoutEffect, useState, useTransition } from 'react';
import { createPath, NavigationType, type Navigator, Router, type To } from 'react-router';

import { hold } from '#ui/leaving.ts';

const hrefOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));

/** Where one is, and how one came there. */
const here = (navigationType: NavigationType) => {
  const { pathname, search, hash } = window.location;
  return { location: { pathname, search, hash, state: history.state as unknown }, navigationType };
};

/** Keeps the address bar and the page together; the previous page stays under a bar while the next one loads. The router's own one carries loaders, masks and hashes along. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [at, setAt] = useState(() => here(NavigationType.Pop));
  const [isLoading, startTransition] = useTransition();
  const [navigator] = useState<Navigator>(() => {
    const write = (how: 'pushState' | 'replaceState', way: NavigationType) => (to: To, state?: unknown) => {
      const href = hrefOf(to);
      const go = () => {
        history[how](state, '', href);
        startTransition(() => setAt(here(way)));
      };
      const { pathname } = new URL(href, location.href);
      if (pathname === location.pathname || !hold(go)) go();
    };
    return {
      createHref: hrefOf,
      go: (steps) => history.go(steps),
      push: write('pushState', NavigationType.Push),
      replace: write('replaceState', NavigationType.Replace),
    };
  });
  // Outside of React’s tree, which has the shape of the server’s: ids of elements follow from it.
  useEffect(() => {
    if (!isLoading) return undefined;
    const bar = document.createElement('div');
    bar.role = 'progressbar';
    bar.ariaLabel = 'Loading';
    bar.className = 'breathe fixed inset-x-0 top-0 z-50 h-1 bg-accent';
    document.body.append(bar);
    return () => bar.remove();
  }, [isLoading]);
  useLayoutEffect(() => {
    const { location: shown } = at;
    const onPop = () => {
      // The browser has gone already: who is held gets an entry like the one that was left, and Back leads on from it.
      if (location.pathname !== shown.pathname && hold(() => history.back()))
        history.pushState(shown.state, '', createPath(shown));
      else startTransition(() => setAt(here(NavigationType.Pop)));
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [at, startTransition]);
  return (
    <Router {...at} navigator={navigator}>
      {children}
    </Router>
  );
}
