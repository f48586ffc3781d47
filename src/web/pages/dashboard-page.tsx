import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';

import { dashboardQuery } from '#features/dashboard/web/queries.ts';
import { PricesCard } from '#features/market/web/prices-card.tsx';
import { PulseStrip } from '#features/market/web/pulse-strip.tsx';
import { PriceOrigins } from '#features/market/web/told.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { part } from '#web/ui/part.tsx';
import { useTitle } from '#web/ui/use-title.ts';

import { AlertsPlace } from './alerts-place.tsx';
import { AnalysisPlace } from './analysis-place.tsx';
import { CollectionPlace } from './collection-place.tsx';
import { DashboardHead, pricesOf } from './dashboard-head.tsx';
import type { EarlierProps } from './earlier-dashboard.tsx';
import { MarketCards } from './market-cards.tsx';
import { useAddress } from './use-address.ts';

const EarlierDashboard = part<EarlierProps>({
  name: 'The earlier moment',
  load: async () => (await import('./earlier-dashboard.tsx')).EarlierDashboard,
  loading: <div className="min-h-dvh" />,
});

const Guests = part({
  load: async () => (await import('./dashboard-guests.tsx')).DashboardGuests,
  failed: () => null,
});

export function DashboardPage() {
  const [asOf, onChange] = useAddress('asOf');
  useTitle('Market Dashboard');
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      {asOf ? <EarlierDashboard asked={asOf} onChange={onChange} /> : <Live onChange={onChange} />}
    </div>
  );
}

function Live({ onChange }: { onChange: (asOf: string | null) => void }) {
  const dashboard = useQuery(dashboardQuery);
  const [coin, selectCoin] = useAddress('coin', true);
  const { data, isError, error } = dashboard;
  const retry = () => void dashboard.refetch();
  return (
    <>
      <DashboardHead asOf={null} onChange={onChange} data={data} />
      {isError && data && <Outdated onRetry={retry} />}
      <PulseStrip
        rows={data?.cryptoPrices}
        totals={data?.totals}
        metrics={data?.advancedMetrics ?? (isError || dashboard.dataUpdatedAt > 0 ? null : undefined)}
        failed={isError && !data}
      />
      <CollectionPlace data={data} />
      <div className="mb-3 grid grid-cols-1 gap-3 min-[88rem]:grid-cols-[minmax(0,1fr)_22rem]">
        <AnalysisPlace data={data} whole={dashboard.dataUpdatedAt > 0} error={isError ? error : null} onRetry={retry} />
        <AlertsPlace />
      </div>
      <ErrorBoundary name="Crypto Prices">
        <PricesCard
          data={data && pricesOf(data)}
          failed={isError ? { message: 'Error: Failed to fetch dashboard data', detail: error.message } : null}
          onRetry={retry}
          selected={coin}
          onSelect={selectCoin}
        />
      </ErrorBoundary>
      <MarketCards past={undefined} />
      <Guests />
      <PriceOrigins rows={data?.cryptoPrices ?? []} totals={data?.totals} />
    </>
  );
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
