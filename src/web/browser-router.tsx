import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { createPath, type Navigator, Router, type To } from 'react-router';

const hrefOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));

const here = () => {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash, state: history.state as unknown };
};

/** Keeps the address bar and the page together. The router's own one carries loaders, masks and hashes along. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(here);
  const [navigator] = useState<Navigator>(() => {
    const write = (how: 'pushState' | 'replaceState') => (to: To, state?: unknown) => {
      history[how](state, '', hrefOf(to));
      startTransition(() => setLocation(here()));
    };
    return {
      createHref: hrefOf,
      go: (steps) => history.go(steps),
      push: write('pushState'),
      replace: write('replaceState'),
    };
  });
  useLayoutEffect(() => {
    const onPop = () => startTransition(() => setLocation(here()));
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  return (
    <Router location={location} navigator={navigator}>
      {children}
    </Router>
  );
}
