import { type ReactNode, use, useEffect, useState } from 'react';

import { AppInfo } from './app-info.ts';

/** What the server drew in this place, as it is, until the page can draw it itself; where there is nothing, `children`. */
export function ServerMarkup({ children }: { children: ReactNode }) {
  const { drawn } = use(AppInfo);
  const [isKept] = useState(() => !import.meta.env.SSR && drawn.isThere);
  useEffect(() => drawn.end, [drawn]);
  // While a drawn page is brought to life, React leaves the content of such an element alone.
  if (!isKept) return children;
  const asItIs = { __html: window.trustedTypes?.emptyHTML ?? '' };
  return <div className="contents" data-kept="" suppressHydrationWarning dangerouslySetInnerHTML={asItIs} />;
}
