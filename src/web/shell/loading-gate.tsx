import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';

import { AppInfo } from './app-info.ts';

/** Without a state prepared by the server, nothing is shown until the first answer, good or bad. */
export function LoadingGate({ children }: { children: ReactNode }) {
  const { seeded } = use(AppInfo);
  const { isPending } = useQuery(dashboardQuery);
  if (seeded || !isPending) return children;
  return (
    <output className="grid min-h-dvh place-items-center">
      <span
        className="size-8 animate-spin rounded-full border-2 border-line-strong border-t-accent"
        aria-hidden="true"
      />
      <span className="sr-only">Loading</span>
    </output>
  );
}
