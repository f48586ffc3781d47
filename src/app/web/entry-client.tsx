import './app.css';

import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { AppSeed } from '#app/render.ts';
import { App, createQueries } from './app.tsx';
import { BrowserRouter } from './browser-router.tsx';

const caught: Event[] = [];
for (const name of ['error', 'unhandledrejection', 'broken']) addEventListener(name, (event) => caught.push(event));

const text = document.getElementById('seed')?.textContent;
const seed = text ? (JSON.parse(text) as AppSeed) : null;
const root = document.getElementById('root');
const app = (
  <App seed={seed} queries={createQueries(seed)} router={(routes) => <BrowserRouter>{routes}</BrowserRouter>} />
);

// As a transition, so that it takes turns with whoever touches the page meanwhile.
if (root?.firstElementChild) startTransition(() => void hydrateRoot(root, app));
else if (root) createRoot(root).render(app);

const LATER_MS = 3000;

// The page itself comes first.
setTimeout(() => void import('./later.ts').then(({ afterwards }) => afterwards(caught)), LATER_MS);
