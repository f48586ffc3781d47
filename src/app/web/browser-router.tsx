import { type ReactNode, useEffect, useLayoutEffect, useState, useTransition } from 'react';
import { createPath, NavigationType, type Navigator, Router, type To } from 'react-router';

import { hold } from '#ui/leaving.ts';

const toHref = (to: To): string => (typeof to === 'string' ? to : createPath(to));

/** The current location and how the user navigated to it. */
const currentState = (navigationType: NavigationType) => {
  const { pathname, search, hash } = window.location;
  return { location: { pathname, search, hash, state: history.state as unknown }, navigationType };
};

/**
 * Syncs the address bar and the page; the previous page stays under a progress bar while the next one loads. The
 * router's own component includes loaders, masks and hashes.
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [at, setAt] = useState(() => currentState(NavigationType.Pop));
  const [isLoading, startTransition] = useTransition();
  const [navigator] = useState<Navigator>(() => {
    const write = (how: 'pushState' | 'replaceState', way: NavigationType) => (to: To, state?: unknown) => {
      const href = toHref(to);
      const go = () => {
        history[how](state, '', href);
        startTransition(() => setAt(currentState(way)));
      };
      const { pathname } = new URL(href, location.href);
      if (pathname === location.pathname || !hold(go)) go();
    };
    return {
      createHref: toHref,
      go: (steps) => history.go(steps),
      push: write('pushState', NavigationType.Push),
      replace: write('replaceState', NavigationType.Replace),
    };
  });
  // Outside React’s tree, which must have the shape of the server’s: element ids depend on it.
  useEffect(() => {
    if (!isLoading) return undefined;
    const bar = document.createElement('div');
    bar.role = 'progressbar';
    bar.ariaLabel = 'Loading';
    bar.className = 'breathe fixed inset-x-0 top-0 z-50 h-1 bg-accent';
    document.body.append(bar);
    return () => bar.remove();
  }, [isLoading]);
  const [first] = useState(at);
  useLayoutEffect(() => {
    const { location: shown } = at;
    const onPop = () => {
      // The browser has already navigated: a blocked user gets a copy of the entry they left, so that Back works from
      // there.
      if (location.pathname !== shown.pathname && hold(() => history.back()))
        history.pushState(shown.state, '', createPath(shown));
      else startTransition(() => setAt(currentState(NavigationType.Pop)));
    };
    addEventListener('popstate', onPop);
    // A Back during hydration came before the listener.
    if (at === first && location.pathname !== shown.pathname) dispatchEvent(new Event('popstate'));
    return () => removeEventListener('popstate', onPop);
  }, [at, first, startTransition]);
  return (
    <Router {...at} navigator={navigator}>
      {children}
    </Router>
  );
}
