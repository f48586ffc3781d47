import { useLocation } from 'react-router';

import { ButtonLink } from '#ui/button-link.tsx';
import { useTitle } from '#ui/use-title.ts';

export function NotFoundPage() {
  const { pathname } = useLocation();
  useTitle('Page not found');
  return (
    <div className="grid min-h-[60vh] place-items-center px-4 text-center">
      <div>
        <p className="num text-[64px] leading-none font-semibold tracking-[-0.05em] text-ink-3" aria-hidden="true">
          404
        </p>
        <h1 className="mt-4 text-xl font-semibold tracking-[-0.02em]">Page not found</h1>
        <p className="mt-1.5 text-ink-2">We couldn’t find that page.</p>
        <p className="mt-1 text-sm break-all text-ink-3">{pathname}</p>
        <ButtonLink to="/app" className="mt-5 h-10 px-4">
          Back to Dashboard
        </ButtonLink>
      </div>
    </div>
  );
}
