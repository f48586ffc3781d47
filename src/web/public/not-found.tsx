import type { PublicModel } from '#shared/render.ts';

import { GHOST, PRIMARY, PublicPage } from './page.tsx';

export function PublicNotFound({ model }: { model: PublicModel }) {
  return (
    <PublicPage model={model}>
      <div className="grid min-h-[calc(100dvh-10rem)] place-items-center px-5 py-16 text-center">
        <div>
          <p className="num text-[96px] leading-none font-semibold tracking-[-0.06em] text-ink-3" aria-hidden="true">
            404
          </p>
          <h1 className="mt-5 text-[32px] leading-[1.1] font-semibold tracking-[-0.035em]">Page not found</h1>
          <p className="mt-3 text-[17px] leading-7 text-ink-2">There is no page at this address.</p>
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
