import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, StrictMode, Suspense, use, useMemo } from 'react';
import { useLocation } from 'react-router';
import type { AppSeed } from '#app/render.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { Clock, ClockContext } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { Hydration } from '#ui/use-hydrated.tsx';
import { DashboardPage } from './pages/dashboard-page.tsx';
import type { SignInProps } from './pages/sign-in.tsx';
import { useAddress } from './pages/use-address.ts';
import { AppInfo, DrawnView } from './shell/app-info.ts';
import { Missing, Shell } from './shell/shell.tsx';

const DASHBOARD = '/app';
const withoutSlash = (pathname: string) => pathname.replace(/\/+$/, '');

/** Other pages are opened from links in emails. */
export const isAppPath = (pathname: string): boolean => `${pathname}/`.startsWith(`${DASHBOARD}/`);

const SignIn = part<SignInProps>({
  name: 'Signing in',
  load: async () => (await import('./pages/sign-in.tsx')).SignIn,
  failed: ({ onMode }) => <Missing what="sign-in" onClose={() => onMode(null)} />,
});

/** `?auth=login` or `?auth=register` opens the sign-in dialog on any page of the app. */
function AuthParameter() {
  const [mode, onMode] = useAddress('auth', true);
  if (mode !== 'login' && mode !== 'register') return null;
  return <SignIn mode={mode} onMode={onMode} />;
}

/** Without state prepared by the server, nothing is shown until the first response or error. */
function LoadingGate({ children }: { children: ReactNode }) {
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

const MorePages = part({
  name: 'This page',
  load: async () => (await import('./pages/more-pages.tsx')).MorePages,
  suspends: true,
});

const AccountPages = part({
  name: 'This page',
  load: async () => (await import('./pages/account-pages.tsx')).AccountPages,
  suspends: true,
});

/**
 * Loads the code of the page at an address, so that the page itself is the first view; null when it is already loaded.
 */
export function loadPage(pathname: string): Promise<void> | null {
  if (!isAppPath(pathname)) return AccountPages.ready();
  const path = withoutSlash(pathname);
  if (path === DASHBOARD) return null;
  return MorePages.ready().then(async () => (await import('./pages/more-pages.tsx')).loadPage(path));
}

/** The page at the current address: of the app, or opened from an email link. */
function PageHere() {
  const { pathname } = useLocation();
  const path = withoutSlash(pathname);
  if (!isAppPath(path))
    return (
      <Suspense>
        <AccountPages />
      </Suspense>
    );
  return (
    <>
      <Shell>{path === DASHBOARD ? <DashboardPage /> : <MorePages />}</Shell>
      <AuthParameter />
    </>
  );
}

/** Seeded data counts as stale: the seed holds only the tracked coins, and the browser fetches the rest immediately. */
export function createQueries(seed: AppSeed | null): QueryClient {
  const queries = new QueryClient({
    defaultOptions: { queries: { staleTime: 60_000, retry: 1 } },
  });
  for (const name of ['dashboard', 'sparklines', 'pricing', 'figure'] as const) {
    const value = seed?.[name];
    const key = name === 'figure' ? [name, seed?.figure?.metric] : [name];
    if (value) queries.setQueryData(key, value, { updatedAt: 0 });
  }
  return queries;
}

type Props = {
  seed: AppSeed | null;
  queries: QueryClient;
  /** Whether the server rendered the page and the browser hydrates it. */
  hydrates?: boolean;
  /** BrowserRouter in the page, StaticRouter on the server. */
  router: (routes: React.ReactNode) => React.ReactNode;
};

export function App({ seed, queries, router, hydrates = false }: Props) {
  const clock = useMemo(() => new Clock(seed?.dashboard ? Date.parse(seed.dashboard.timestamp) : 0), [seed]);
  const info = useMemo(
    () => ({
      version: seed?.version ?? __VERSION__,
      seeded: seed !== null,
      hydrates,
      drawn: new DrawnView(seed?.hasAnalysis ?? false),
    }),
    [seed, hydrates],
  );
  return (
    <StrictMode>
      <Hydration isAhead={hydrates}>
        <QueryClientProvider client={queries}>
          <ClockContext value={clock}>
            <AppInfo value={info}>
              {router(
                <LoadingGate>
                  <PageHere />
                </LoadingGate>,
              )}
            </AppInfo>
          </ClockContext>
        </QueryClientProvider>
      </Hydration>
    </StrictMode>
  );
}
