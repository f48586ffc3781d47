import { type ReactNode, startTransition, useState } from 'react';

import { placeOf, Router } from '#web/ui/router.tsx';

/** A place that only the test knows; it follows a moment later, as the browser's does. */
export function MemoryRouter({ at = '/', children }: { at?: string; children: ReactNode }) {
  const [place, setPlace] = useState(() => placeOf(at));
  const [go] = useState(
    () => (href: string, replace: boolean) =>
      startTransition(() => setPlace(placeOf(href, replace ? 'REPLACE' : 'PUSH'))),
  );
  return (
    <Router place={place} go={go}>
      {children}
    </Router>
  );
}
