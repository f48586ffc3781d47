import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { BRAND } from '#shared/brand.ts';
import { Logo } from '#web/ui/logo.tsx';
import { useTitle } from '#web/ui/use-title.ts';

type Props = {
  title: string;
  /** The name of the tab, when it is not the title. */
  tab?: string;
  icon?: ReactNode;
  children: ReactNode;
};

/** A page of its own outside the shell: one thing to read or to fill in. */
export function AccountFrame({ title, tab = title, icon, children }: Props) {
  useTitle(tab);
  const demo = useQuery(dashboardQuery).data?.dataMode === 'demo';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 shrink-0 items-center gap-3 px-4 sm:px-6">
        <a href="/" aria-label={`${BRAND.name}, home`} className="flex items-center gap-2.5 rounded-chip">
          <Logo className="size-6" />
          <span className="text-lg font-semibold tracking-[-0.02em]">{BRAND.name}</span>
        </a>
        {demo && (
          <span className="inline-flex h-7 items-center rounded-chip border border-warn/40 bg-warn/10 px-2 text-2xs font-semibold text-warn">
            Demo data
          </span>
        )}
      </header>
      <main id="main" className="grid flex-1 place-items-center px-3 pb-14">
        <div className="card grid w-[min(26rem,calc(100vw-1.5rem))] gap-4 p-5 sm:p-6">
          <div>
            {icon}
            <h1 className="text-xl font-semibold tracking-[-0.02em]">{title}</h1>
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
