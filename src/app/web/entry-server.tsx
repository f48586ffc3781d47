import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import type { PublicModel, Renderer } from '#app/render.ts';
import { LatencyTable } from '#features/notifications/web/notifications/latency-table.tsx';
import { ABOUT_LEAD, AboutFacts, AboutSection, AboutText } from '#features/site/web/legal/about-text.tsx';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#ui/cx.ts';
import { App, createQueries } from './app.tsx';
import { Analysis } from './pages/analysis-section.tsx';
import { Landing } from './public/landing.tsx';
import { GHOST, PRIMARY, PublicPage, WIDTH } from './public/page.tsx';
import { PublicStatus } from './public/status.tsx';

const PlainLink = ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>;

function PublicAbout({ model }: { model: PublicModel }) {
  const facts = (
    <>
      <AboutFacts about={model.about} A={PlainLink} />
      {model.latency && (
        <AboutSection id="delivery" title="Alert Delivery Speed">
          <LatencyTable latency={model.latency} />
        </AboutSection>
      )}
    </>
  );
  return (
    <PublicPage model={model}>
      <article className={cx(WIDTH, 'pt-12 pb-16 sm:pt-20')}>
        <h1 className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] text-balance sm:text-[72px]">
          About {BRAND.name}
        </h1>
        <p className="prose mt-6 text-[17px] leading-7">{ABOUT_LEAD}</p>
        <AboutText facts={facts} plans={model.about.plans} A={PlainLink} />
        <div className="mt-12 flex flex-wrap gap-3">
          <a href="/app" className={PRIMARY}>
            Launch App
          </a>
          <a href="/app/subscription" className={GHOST}>
            View Plans
          </a>
        </div>
      </article>
    </PublicPage>
  );
}

function PublicNotFound({ model }: { model: PublicModel }) {
  return (
    <PublicPage model={model}>
      <div className="grid min-h-[calc(100dvh-10rem)] place-items-center px-5 py-16 text-center">
        <div>
          <p className="num text-[96px] leading-none font-semibold tracking-[-0.06em] text-ink-3" aria-hidden="true">
            404
          </p>
          <h1 className="mt-5 text-[32px] leading-[1.1] font-semibold tracking-[-0.035em]">Page not found</h1>
          <p className="mt-3 text-[17px] leading-7 text-ink-2">We couldn’t find that page.</p>
          <div className="mt-7 flex flex-wrap justify-center gap-3">
            <a href="/" className={PRIMARY}>
              Home
            </a>
            <a href="/app" className={GHOST}>
              Launch App
            </a>
          </div>
        </div>
      </div>
    </PublicPage>
  );
}

export const renderApp: Renderer['renderApp'] = async (url, seed, view) => {
  await Analysis.ready();
  const queries = createQueries(seed.dashboard ? { ...seed, dashboard: { ...seed.dashboard, ...view } } : seed);
  const { prelude } = await prerender(
    <App
      hydrates
      seed={seed}
      queries={queries}
      router={(routes) => <StaticRouter location={url}>{routes}</StaticRouter>}
    />,
    // Large boundaries would otherwise be moved by inline scripts, which the content policy forbids.
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
