import { type ReactNode, use, useEffect, useState } from 'react';

import { AppInfo } from './app-info.ts';

/** Keeps the server's markup in this place until the page can render it itself; without any, `children`. */
export function ServerMarkup({ children }: { children: ReactNode }) {
  const { drawn } = use(AppInfo);
  const [isKept] = useState(() => !import.meta.env.SSR && drawn.isThere);
  useEffect(() => drawn.end, [drawn]);
  // During hydration, React leaves the content of such an element alone.
  if (!isKept) return children;
  const asItIs = { __html: window.trustedTypes?.emptyHTML ?? '' };
  return <div className="contents" data-kept="" suppressHydrationWarning dangerouslySetInnerHTML={asItIs} />;
}
