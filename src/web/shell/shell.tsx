import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { ToastHost } from '#web/ui/toast-host.tsx';

import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { Sidebar } from './sidebar.tsx';

const Palette = lazy(() => import('./palette.tsx').then((m) => ({ default: m.Palette })));

function useShortcut(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open]);
}

/** The stream is not needed for the first paint, so its code comes after it. */
function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let gone = false;
    let leave: (() => void) | undefined;
    const connect = async () => {
      const { connectLive } = await import('../live.ts');
      if (!gone) leave = connectLive(queries);
    };
    void connect();
    return () => {
      gone = true;
      leave?.();
    };
  }, [queries]);
}

export function Shell() {
  const { data } = useQuery(dashboardQuery);
  const { pathname } = useLocation();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const [palette, setPalette] = useState(false);
  const [openPalette] = useState(() => () => setPalette(true));
  useShortcut(openPalette);
  useLive();
  // The menu belongs to the page it was opened on, so going elsewhere closes it.
  const menu = menuAt === pathname;

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-ctl focus:bg-btn focus:px-3 focus:py-2 focus:text-btn-ink"
      >
        Skip to content
      </a>
      <Sidebar data={data} open={menu} onClose={() => setMenuAt(null)} />
      <div className="flex min-h-dvh min-w-0 flex-col" inert={menu}>
        <Header
          demo={data?.dataMode === 'demo'}
          menu={menu}
          onMenu={() => setMenuAt(pathname)}
          onSearch={openPalette}
        />
        <main id="main" tabIndex={-1} className="flex-1 outline-none">
          <Outlet />
        </main>
        <Footer />
      </div>
      {palette && (
        <Suspense>
          <Palette coins={data?.cryptoPrices ?? []} onClose={() => setPalette(false)} />
        </Suspense>
      )}
      <ToastHost />
    </div>
  );
}
