import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { part } from '#web/ui/part.tsx';
import { toast } from '#web/ui/toast.ts';
import { ToastHost } from '#web/ui/toast-host.tsx';

import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import type { PaletteProps } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';

const Palette = part<PaletteProps>({
  name: 'Search',
  load: async () => (await import('./palette.tsx')).Palette,
  failed: (props) => <NoPalette {...props} />,
});

function NoPalette({ onClose }: PaletteProps) {
  useEffect(() => {
    toast('error', 'Search could not be loaded. The server cannot be reached.');
    onClose();
  }, [onClose]);
  return null;
}

const LIVE_RETRY_MS = 5_000;

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
    let again: ReturnType<typeof setTimeout>;
    const connect = async () => {
      const { connectLive } = await import('../live.ts');
      if (!gone) leave = connectLive(queries);
    };
    const attempt = () => {
      connect().catch(() => {
        if (!gone) again = setTimeout(attempt, LIVE_RETRY_MS);
      });
    };
    attempt();
    return () => {
      gone = true;
      clearTimeout(again);
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
  const [closePalette] = useState(() => () => setPalette(false));
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
      {palette && <Palette coins={data?.cryptoPrices ?? []} onClose={closePalette} />}
      <ToastHost />
    </div>
  );
}
