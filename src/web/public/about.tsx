import type { ReactNode } from 'react';

import { AboutFacts } from '#features/legal/web/about-facts.tsx';
import { ABOUT_LEAD, AboutText } from '#features/legal/web/about-text.tsx';
import { BRAND } from '#shared/brand.ts';
import type { PublicModel } from '#shared/render.ts';
import { cx } from '#web/ui/cx.ts';

import { GHOST, PRIMARY, PublicPage, WIDTH } from './page.tsx';

const PlainLink = ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>;

export function PublicAbout({ model }: { model: PublicModel }) {
  return (
    <PublicPage model={model}>
      <article className={cx(WIDTH, 'pt-12 pb-16 sm:pt-20')}>
        <h1 className="text-[44px] leading-[1.02] font-semibold tracking-[-0.045em] text-balance sm:text-[72px]">
          About {BRAND.name}
        </h1>
        <p className="prose mt-6 text-[17px] leading-7">{ABOUT_LEAD}</p>
        <AboutText facts={<AboutFacts about={model.about} A={PlainLink} />} A={PlainLink} />
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
