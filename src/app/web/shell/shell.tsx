import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, use, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { SourceHealth } from '#features/market/contract/market.ts';
import { sourceName } from '#features/market/web/market/quote.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { BRAND, copyrightYears } from '#shared/brand.ts';
import { clockTime } from '#shared/format.ts';
import { CallError } from '#ui/api/client.ts';
import { whenIdle } from '#ui/lazy-mount.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { onSession } from '#ui/session.ts';
import { plainName, SourceNames } from '#ui/source-names.ts';
import { toast } from '#ui/toast.ts';
import { ToastHost } from '#ui/toast-host.tsx';
import { useHydrated } from '#ui/use-hydrated.tsx';
import type { RenewalProps } from '../pages/renewal-banner.tsx';
import { AppInfo } from './app-info.ts';
import type { DialogsProps, Overlay } from './dialogs.tsx';
import { Header } from './header.tsx';
import type { PaletteProps } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';

/** The pages linked from every footer. */
const INFO_LINKS = [
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
  ['About', '/app/about'],
] as const;

const HOUR_MS = 3_600_000;

function Footer({ onSettings }: { onSettings: () => void }) {
  const { version } = use(AppInfo);
  const year = new Date(useNow(HOUR_MS)).getUTCFullYear();
  return (
    <footer className="label flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line px-4 py-3 sm:px-6">
      <span className="num">
        © {copyrightYears(year)} {BRAND.name} · v{version}
      </span>
      <button
        type="button"
        onClick={onSettings}
        className="-mx-2 inline-flex h-9 cursor-pointer items-center rounded-chip px-2 whitespace-nowrap hover:text-ink sm:ml-auto"
      >
        Settings and shortcuts
      </button>
      <ul className="-mx-2 flex flex-wrap">
        {INFO_LINKS.map(([title, to]) => (
          <li key={to}>
            <Link to={to} className="inline-flex h-9 items-center px-2 whitespace-nowrap hover:text-ink">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </footer>
  );
}

const Palette = part<PaletteProps>({
  load: async () => (await import('./palette.tsx')).Palette,
  failed: ({ onClose }) => <Missing what="search" onClose={onClose} />,
});

const Dialogs = part<DialogsProps>({
  load: async () => (await import('./dialogs.tsx')).Dialogs,
  failed: ({ onClose }) => <Missing what="the dialog" onClose={onClose} />,
});

const Renewal = part<RenewalProps>({
  load: async () => (await import('../pages/renewal-banner.tsx')).RenewalBanner,
  failed: () => null,
});

const WeakPassword = part({
  load: async () => (await import('../pages/weak-password-banner.tsx')).WeakPasswordBanner,
  failed: () => null,
});

/** Reports that a dialog could not be loaded, and closes it. */
export function Missing({ what, onClose }: { what: string; onClose: () => void }) {
  useEffect(() => {
    toast('error', `Couldn’t load ${what}. The server is unreachable.`);
    onClose();
  }, [what, onClose]);
  return null;
}

const LIVE_RETRY_MS = 5_000;

/** Ctrl+K works immediately; the code of the single keys loads after the first paint. */
function useKeys(open: (overlay: Overlay) => void): void {
  const navigate = useNavigate();
  const go = useRef(navigate);
  useEffect(() => {
    go.current = navigate;
  });
  useEffect(() => {
    let leave = () => {};
    let isUnmounted = false;
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      open('palette');
    };
    addEventListener('keydown', onKey);
    import('./keys.ts').then(
      ({ listenToKeys }) => {
        if (!isUnmounted) leave = listenToKeys({ open, go: (to) => void go.current(to) });
      },
      () => {},
    );
    return () => {
      isUnmounted = true;
      removeEventListener('keydown', onKey);
      leave();
    };
  }, [open]);
}

/** The stream is not needed for the first paint, so its code loads afterwards. */
function useLive(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isUnmounted = false;
    let leave: (() => void) | undefined;
    let again: ReturnType<typeof setTimeout>;
    const connect = async () => {
      const { connectLive } = await import('../live.ts');
      if (!isUnmounted) leave = connectLive(queries);
    };
    const attempt = () => {
      connect().catch(() => {
        if (!isUnmounted) again = setTimeout(attempt, LIVE_RETRY_MS);
      });
    };
    attempt();
    return () => {
      isUnmounted = true;
      clearTimeout(again);
      leave?.();
    };
  }, [queries]);
}

/** Letters are shown until the style sheet loads, or if it fails. */
function useCoinLogos(): void {
  useEffect(() => whenIdle(() => void import('../coin-logos.css').catch(() => {})), []);
}

/** User data is refetched for the next user, also when another tab signs in or out. */
function useSession() {
  const queries = useQueryClient();
  useEffect(() => onSession(() => void queries.invalidateQueries()), [queries]);
  const isHydrated = useHydrated();
  useEffect(() => {
    if (isHydrated) delete document.documentElement.dataset['session'];
  }, [isHydrated]);
  return useAccount();
}

/** Ids missing from the list of sources are shown unchanged. */
function useSourceNames(sources: readonly SourceHealth[] | undefined) {
  return useMemo(() => {
    const known = sources ?? [];
    return (id: string) => (known.some((source) => source.id === id) ? sourceName(known, id) : plainName(id));
  }, [sources]);
}

/** "Connection lost · last update 14:20 UTC"; a server that answers with an error is not unreachable. */
function lostText(error: Error | null, data: Dashboard | undefined): string {
  const text = error instanceof CallError && error.code !== 'network' ? 'Updates failing' : 'Connection lost';
  if (!data) return text;
  const updated = Math.max(Date.parse(data.timestamp), ticks.newest()?.at ?? 0);
  return `${text} · last update ${clockTime(updated)}`;
}

export function Shell({ children }: { children: ReactNode }) {
  // A boundary would hydrate after the shell, whose first answers then differ from the server's markup.
  const { hydrates } = use(AppInfo);
  const { data, isError, error, fetchStatus } = useQuery(dashboardQuery);
  const lost = isError || fetchStatus === 'paused' ? lostText(error, data) : null;
  const { pathname } = useLocation();
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const [open, setOpen] = useState<Overlay | null>(null);
  const [close] = useState(() => () => setOpen(null));
  useKeys(setOpen);
  const nameOf = useSourceNames(data?.sources);
  useLive();
  useCoinLogos();
  const account = useSession();
  const [renewal, setRenewal] = useState(false);
  // A user who has renewed still sees the payment until it completes.
  if (!renewal && account.state === 'known' && account.subscription.needsRenewal) setRenewal(true);
  // The menu belongs to the page it was opened on, so navigation closes it.
  const menu = menuAt === pathname;

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Sidebar data={data} lost={lost} account={account} open={menu} onClose={() => setMenuAt(null)} />
      <div className="flex min-h-dvh min-w-0 flex-col" inert={menu}>
        <SourceNames value={nameOf}>
          <Header
            account={account}
            demo={data?.dataMode === 'demo'}
            lost={lost}
            menu={menu}
            onMenu={() => setMenuAt(pathname)}
            onOpen={setOpen}
          />
          {account.state === 'known' && account.subscription.weakPassword && <WeakPassword />}
          {renewal && account.state === 'known' && <Renewal subscription={account.subscription} />}
          <main id="main" tabIndex={-1} className="min-h-dvh flex-1 outline-none">
            {hydrates ? children : <Suspense fallback={<div className="skel m-3 h-96" />}>{children}</Suspense>}
          </main>
        </SourceNames>
        <Footer onSettings={() => setOpen('settings')} />
      </div>
      {open === 'palette' ? (
        <Palette coins={data?.cryptoPrices ?? []} onOpen={setOpen} onClose={close} />
      ) : (
        open && <Dialogs open={open} onOpen={setOpen} onClose={close} />
      )}
      <ToastHost />
    </div>
  );
}
