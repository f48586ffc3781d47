import './app.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { AppSeed } from '#app/render.ts';
import { App, createQueries, isAppPath, loadPage } from './app.tsx';
import { BrowserRouter } from './browser-router.tsx';

const caught: Event[] = [];
for (const name of ['error', 'unhandledrejection', 'broken']) addEventListener(name, (event) => caught.push(event));

const text = document.getElementById('seed')?.textContent;
const seed = text ? (JSON.parse(text) as AppSeed) : null;
const root = document.getElementById('root');
// Pages of email links depend on browser state, so they are rendered again instead of hydrated.
const isShared = root?.firstElementChild != null && isAppPath(location.pathname);
const router = (routes: ReactNode) => <BrowserRouter>{routes}</BrowserRouter>;
const app = (hydrates: boolean) => (
  <App hydrates={hydrates} seed={seed} queries={createQueries(seed)} router={router} />
);

/** As transitions, which yield to input. */
const hydrate = () => root && startTransition(() => void hydrateRoot(root, app(true)));
const draw = () => root && startTransition(() => createRoot(root).render(app(false)));

/** The server's markup belongs to the address of the request, which a quick Back may have left by now. */
const requested = performance.getEntriesByType('navigation')[0]?.name ?? location.href;

async function start(): Promise<void> {
  await loadPage(location.pathname);
  if (isShared && new URL(requested).pathname === location.pathname) hydrate();
  else draw();
}
start().catch(draw);

const DEFERRED_MS = 3000;

// The page itself has priority.
setTimeout(() => void import('./prefetch.ts').then(({ afterwards }) => afterwards(caught)), DEFERRED_MS);
