import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';

import type { Renderer } from '#shared/render.ts';

import { App, createQueries } from './app.tsx';
import { Analysis } from './pages/analysis-place.tsx';
import { PublicAbout } from './public/about.tsx';
import { Landing } from './public/landing.tsx';
import { PublicNotFound } from './public/not-found.tsx';
import { PublicStatus } from './public/status.tsx';

export const renderApp: Renderer['renderApp'] = async (url, seed, view) => {
  await Analysis.ready();
  const queries = createQueries(seed.dashboard ? { ...seed, dashboard: { ...seed.dashboard, ...view } } : seed);
  const { prelude } = await prerender(
    <App seed={seed} queries={queries} router={(routes) => <StaticRouter location={url}>{routes}</StaticRouter>} />,
    // Large boundaries would otherwise be moved behind inline scripts, which the content policy forbids.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  const html = await new Response(prelude).text();
  queries.clear();
  return html;
};

export const renderLanding: Renderer['renderLanding'] = (model) => renderToStaticMarkup(<Landing model={model} />);

export const renderAbout: Renderer['renderAbout'] = (model) => renderToStaticMarkup(<PublicAbout model={model} />);

export const renderStatus: Renderer['renderStatus'] = (model) => renderToStaticMarkup(<PublicStatus model={model} />);

export const renderNotFound: Renderer['renderNotFound'] = (model) =>
  renderToStaticMarkup(<PublicNotFound model={model} />);
