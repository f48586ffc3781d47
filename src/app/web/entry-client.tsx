import './app.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { AppSeed } from '#app/render.ts';
import { subscriptionQuery } from '#features/accounts/web/subscriptions/queries.ts';
import { tokenNow } from '#ui/session.ts';
import { App, createQueries, loadPage } from './app.tsx';
import { BrowserRouter } from './browser-router.tsx';

const caught: Event[] = [];
for (const name of ['error', 'unhandledrejection', 'broken']) addEventListener(name, (event) => caught.push(event));

const text = document.getElementById('seed')?.textContent;
const seed = text ? (JSON.parse(text) as AppSeed) : null;
const root = document.getElementById('root') as HTMLElement;
const queries = createQueries(seed);
const token = tokenNow();
// The account is needed right after hydration, which takes a phone longer than the request.
if (token) void queries.prefetchQuery(subscriptionQuery(token));
const router = (routes: ReactNode) => <BrowserRouter>{routes}</BrowserRouter>;

/** As a transition, which yields to input. */
const show = (hydrates: boolean) =>
  startTransition(() => {
    const app = <App hydrates={hydrates} seed={seed} queries={queries} router={router} />;
    if (hydrates) hydrateRoot(root, app);
    else createRoot(root).render(app);
  });

// After a quick Back, the address no longer names the page that the server rendered.
Promise.resolve(loadPage(location.pathname)).then(
  () => show(seed?.path === location.pathname),
  () => show(false),
);

const DEFERRED_MS = 3000;

// The page itself has priority.
setTimeout(() => void import('./prefetch.ts').then(({ afterwards }) => afterwards(caught)), DEFERRED_MS);
