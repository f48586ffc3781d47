import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';

import { hold } from '#web/ui/leaving.ts';
import { type Place, Router } from '#web/ui/router.tsx';

/** Where one is, how one came there, and what the browser keeps of it. */
const here = (way: Place['way']) => {
  const { pathname, search, hash } = window.location;
  return { place: { pathname, search, hash, way }, state: history.state as unknown };
};

/** Keeps the address bar and the page together. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [at, setAt] = useState(() => here('POP'));
  const [goTo] = useState(() => (href: string, replace: boolean) => {
    const go = () => {
      history[replace ? 'replaceState' : 'pushState'](null, '', href);
      startTransition(() => setAt(here(replace ? 'REPLACE' : 'PUSH')));
    };
    const { pathname } = new URL(href, location.href);
    if (pathname === location.pathname || !hold(go)) go();
  });
  useLayoutEffect(() => {
    const { place, state } = at;
    const onPop = () => {
      // The browser has gone already: who is held gets an entry like the one that was left, and Back leads on from it.
      if (location.pathname !== place.pathname && hold(() => history.back()))
        history.pushState(state, '', place.pathname + place.search + place.hash);
      else startTransition(() => setAt(here('POP')));
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [at]);
  return (
    <Router place={at.place} go={goTo}>
      {children}
    </Router>
  );
}
