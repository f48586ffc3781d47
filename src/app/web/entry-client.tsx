import './app.css';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState, useTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createPath, NavigationType, type Navigator, Router, type To } from 'react-router';
import type { AppSeed } from '#app/render.ts';
import { hold } from '#ui/leaving.ts';
import { App, createQueries, isOfApp, loadPage } from './app.tsx';

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

const caught: Event[] = [];
for (const name of ['error', 'unhandledrejection', 'broken']) addEventListener(name, (event) => caught.push(event));

const text = document.getElementById('seed')?.textContent;
const seed = text ? (JSON.parse(text) as AppSeed) : null;
const root = document.getElementById('root');
const { pathname } = location;
// Pages of email links depend on what only the browser keeps, so they are drawn again instead of taken over.
const isShared = root?.firstElementChild != null && isOfApp(pathname);
const router = (routes: ReactNode) => <BrowserRouter>{routes}</BrowserRouter>;
const app = (hydrates: boolean) => (
  <App hydrates={hydrates} seed={seed} queries={createQueries(seed)} router={router} />
);

/** As transitions, which yield to input. */
const hydrate = () => root && startTransition(() => void hydrateRoot(root, app(true)));
const draw = () => root && startTransition(() => createRoot(root).render(app(false)));

const start = isShared ? hydrate : draw;
const code = loadPage(pathname);
if (code) code.then(start, draw);
else start();

const LATER_MS = 3000;

// The page itself comes first.
setTimeout(() => void import('./later.ts').then(({ afterwards }) => afterwards(caught)), LATER_MS);
