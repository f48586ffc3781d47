import './app.css';

import { createRoot, hydrateRoot } from 'react-dom/client';
import type { AppSeed } from '#shared/render.ts';
import { App, createQueries } from './app.tsx';
import { BrowserRouter } from './browser-router.tsx';
import { tokenNow } from './session.ts';

const text = document.getElementById('seed')?.textContent;
const seed = text ? (JSON.parse(text) as AppSeed) : null;
const root = document.getElementById('root');
const app = (
  <App seed={seed} queries={createQueries(seed)} router={(routes) => <BrowserRouter>{routes}</BrowserRouter>} />
);

if (root?.firstElementChild) hydrateRoot(root, app);
else if (root) createRoot(root).render(app);

const WORKER_AFTER_MS = 3000;

// Only who is signed in can be sent anything; the page itself comes first.
if (tokenNow() !== null) {
  setTimeout(() => {
    void import('#features/push/web/push-helper.ts').then(({ pushHelper }) => pushHelper.initialize());
  }, WORKER_AFTER_MS);
}
