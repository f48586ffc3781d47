import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useMemo } from 'react';
import { Route, Routes } from 'react-router';

import type { AppSeed } from '#shared/render.ts';
import { Clock, ClockContext } from '#web/ui/now.ts';
import { part } from '#web/ui/part.tsx';

import { AuthParameter } from './pages/auth-parameter.tsx';
import { DashboardPage } from './pages/dashboard-page.tsx';
import { AppInfo, DrawnView } from './shell/app-info.ts';
import { LoadingGate } from './shell/loading-gate.tsx';
import { Shell } from './shell/shell.tsx';

const MorePages = part({
  name: 'This page',
  load: async () => (await import('./pages/more-pages.tsx')).MorePages,
  loading: <div className="min-h-dvh" />,
});

const AccountPages = part({
  name: 'This page',
  load: async () => (await import('./pages/account-pages.tsx')).AccountPages,
  loading: <div className="min-h-dvh" />,
});

/** Seeded numbers count as old: the seed holds the tracked coins only, the browser reads the rest at once. */
export function createQueries(seed: AppSeed | null): QueryClient {
  const queries = new QueryClient({
    defaultOptions: { queries: { staleTime: 60_000, retry: 1, refetchOnWindowFocus: true } },
  });
  if (seed?.dashboard) queries.setQueryData(['dashboard'], seed.dashboard, { updatedAt: 0 });
  if (seed?.sparklines) queries.setQueryData(['sparklines'], seed.sparklines, { updatedAt: 0 });
  return queries;
}

type Props = {
  seed: AppSeed | null;
  queries: QueryClient;
  /** BrowserRouter in the page, StaticRouter on the server. */
  router: (routes: React.ReactNode) => React.ReactNode;
};

export function App({ seed, queries, router }: Props) {
  const clock = useMemo(() => new Clock(seed?.dashboard ? Date.parse(seed.dashboard.timestamp) : 0), [seed]);
  const info = useMemo(
    () => ({
      version: seed?.version ?? __VERSION__,
      seeded: seed !== null,
      drawn: new DrawnView(seed?.hasAnalysis ?? false),
    }),
    [seed],
  );
  return (
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ClockContext value={clock}>
          <AppInfo value={info}>
            {router(
              <LoadingGate>
                <Routes>
                  <Route
                    path="/app"
                    element={
                      <>
                        <Shell />
                        <AuthParameter />
                      </>
                    }
                  >
                    <Route index element={<DashboardPage />} />
                    <Route path="*" element={<MorePages />} />
                  </Route>
                  <Route path="*" element={<AccountPages />} />
                </Routes>
              </LoadingGate>,
            )}
          </AppInfo>
        </ClockContext>
      </QueryClientProvider>
    </StrictMode>
  );
}
