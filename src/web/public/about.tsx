import type { ReactNode } from 'react';

import { AboutFacts } from '#features/legal/web/about-facts.tsx';
import { AboutSection } from '#features/legal/web/about-section.tsx';
import { ABOUT_LEAD, AboutText } from '#features/legal/web/about-text.tsx';
import { LatencyTable } from '#features/notifications/web/latency-table.tsx';
import { BRAND } from '#shared/brand.ts';
import type { PublicModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { GHOST, PRIMARY, PublicPage, WIDTH } from './page.tsx';

const PlainLink = ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>;

export function PublicAbout({ model }: { model: PublicModel }) {
  const facts = (
    <>
      <AboutFacts about={model.about} A={PlainLink} />
      {model.latency && (
        <AboutSection id="delivery" title="How fast alerts are delivered">
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
