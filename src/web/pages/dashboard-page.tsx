import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useMemo } from 'react';

import type { Dashboard } from '#features/dashboard/contract.ts';
import { parseAsOf } from '#features/dashboard/web/as-of.ts';
import { MomentBanner, MomentButton } from '#features/dashboard/web/moment-button.tsx';
import { dashboardAtQuery, dashboardQuery } from '#features/dashboard/web/queries.ts';
import { PricesCard, type PricesData } from '#features/market/web/prices-card.tsx';
import { PulseStrip } from '#features/market/web/pulse-strip.tsx';
import { age } from '#shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { CardFrame } from '#web/ui/card-frame.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { Clock, ClockContext, useNow } from '#web/ui/now.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { useTitle } from '#web/ui/use-title.ts';

import { MarketCards } from './market-cards.tsx';
import { useAddress } from './use-address.ts';

const pricesOf = ({ cryptoPrices, totals, sources, timestamp }: Dashboard): PricesData => ({
  rows: cryptoPrices,
  totals,
  sources,
  collection: timestamp,
});

type Moment = { asOf: string | null; onChange: (asOf: string | null) => void };

export function DashboardPage() {
  const [asked, onChange] = useAddress('asOf');
  const asOf = parseAsOf(asked);
  useTitle('Market Dashboard');
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      {asOf ? <Earlier asOf={asOf} onChange={onChange} /> : <Live asOf={null} onChange={onChange} />}
    </div>
  );
}

function Head({ data, ...moment }: Moment & { data: Dashboard | undefined }) {
  return (
    <div className="mb-3.5 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-xl font-semibold tracking-[-0.02em] whitespace-nowrap">Market Dashboard</h1>
      {data?.lastCollectionTime && <Collected at={Date.parse(data.lastCollectionTime)} />}
      <MomentButton {...moment} />
    </div>
  );
}

function Live(moment: Moment) {
  const dashboard = useQuery(dashboardQuery);
  const [coin, selectCoin] = useAddress('coin', true);
  const { data, isError, error } = dashboard;
  const retry = () => void dashboard.refetch();
  return (
    <>
      <Head {...moment} data={data} />
      {isError && data && <Outdated onRetry={retry} />}
      <PulseStrip
        rows={data?.cryptoPrices}
        totals={data?.totals}
        metrics={data?.advancedMetrics}
        failed={isError && !data}
      />
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
    </>
  );
}

/** The page as it stood at a moment: ages count from it, nothing moves, and nothing of now is mixed in. */
function Earlier({ asOf, onChange }: Moment & { asOf: string }) {
  const query = useQuery({
    ...dashboardAtQuery(asOf),
    placeholderData: (earlier: Dashboard | undefined) => earlier,
  });
  const { data, isError, error, isPlaceholderData } = query;
  const shown = data?.asOf ?? data?.timestamp ?? asOf;
  const clock = useMemo(() => new Clock(Date.parse(shown), true), [shown]);
  return (
    <ClockContext value={clock}>
      <Head asOf={asOf} onChange={onChange} data={data} />
      <MomentBanner asOf={isPlaceholderData || !data ? asOf : shown} onChange={onChange} waiting={query.isFetching} />
      {isError ? (
        <CardFrame id="no-moment" title="This moment cannot be shown" className="min-h-[23rem]">
          <ErrorState message={error.message} onRetry={() => void query.refetch()} />
        </CardFrame>
      ) : (
        <>
          <PulseStrip
            rows={data?.cryptoPrices}
            totals={data?.totals}
            metrics={data && (data.advancedMetrics ?? null)}
          />
          <PricesCard
            data={data && pricesOf(data)}
            failed={null}
            onRetry={() => {}}
            selected={null}
            onSelect={() => {}}
          />
          {data && <MarketCards past={data} />}
        </>
      )}
    </ClockContext>
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
