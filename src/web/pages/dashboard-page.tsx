import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';

import type { Dashboard } from '#features/dashboard/contract.ts';
import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { PricesCard, type PricesData } from '#features/market/web/prices-card.tsx';
import { PulseStrip } from '#features/market/web/pulse-strip.tsx';
import { age } from '#shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { useNow } from '#web/ui/now.ts';
import { useTitle } from '#web/ui/use-title.ts';

const pricesOf = ({ cryptoPrices, totals, sources, timestamp }: Dashboard): PricesData => ({
  rows: cryptoPrices,
  totals,
  sources,
  collection: timestamp,
});

const never = () => () => {};

/** The server prepares one page for everyone: what the query asks for appears after hydration. */
function useSelectedCoin() {
  const hydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [params, setParams] = useSearchParams();
  const select = useCallback(
    (id: string | null) =>
      setParams(
        (old) => {
          if (id) old.set('coin', id);
          else old.delete('coin');
          return old;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  return [hydrated ? params.get('coin') : null, select] as const;
}

export function DashboardPage() {
  const dashboard = useQuery(dashboardQuery);
  const [coin, selectCoin] = useSelectedCoin();
  useTitle('Market Dashboard');
  const { data, isError, error } = dashboard;
  const retry = () => void dashboard.refetch();

  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="mb-3.5 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-xl font-semibold tracking-[-0.02em] whitespace-nowrap">Market Dashboard</h1>
        {data?.lastCollectionTime && <Collected at={Date.parse(data.lastCollectionTime)} />}
      </div>
      {isError && data && <Outdated onRetry={retry} />}
      <PulseStrip rows={data?.cryptoPrices} totals={data?.totals} failed={isError && !data} />
      <ErrorBoundary name="Crypto Prices">
        <PricesCard
          data={data && pricesOf(data)}
          failed={isError ? { message: 'Error: Failed to fetch dashboard data', detail: error.message } : null}
          onRetry={retry}
          selected={coin}
          onSelect={selectCoin}
        />
      </ErrorBoundary>
    </div>
  );
}

function Collected({ at }: { at: number }) {
  const now = useNow();
  return <p className="label num">Last collection {age(now - at)}</p>;
}

/** A read failed while numbers are on the page: they stay, and the page says so. */
function Outdated({ onRetry }: { onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-warn/40 bg-warn/10 px-4 py-2"
    >
      <p className="text-sm font-medium text-warn">
        Failed to load dashboard data. The last numbers stay, with their age.
      </p>
      <Button className="ml-auto" onClick={onRetry}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Retry
      </Button>
    </div>
  );
}
