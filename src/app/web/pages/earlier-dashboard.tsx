import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PriceOrigins } from '#features/market/web/market/figure-origin.tsx';
import { PricesCard } from '#features/market/web/market/prices-card.tsx';
import { PulseStrip } from '#features/market/web/market/pulse-strip.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardAtQuery } from '#features/site/web/dashboard/earlier-query.ts';
import { minuteTime, parseAsOf } from '#features/site/web/dashboard/time-bar.tsx';
import { Button } from '#ui/button.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { Clock, ClockContext } from '#ui/now.ts';
import { Empty, ErrorState } from '#ui/states.tsx';

import { AlertsSection } from './alerts-section.tsx';
import { AnalysisSection } from './analysis-section.tsx';
import { DashboardHead, toPricesData } from './dashboard-head.tsx';
import { MarketCards } from './market-cards.tsx';

export type EarlierProps = { asked: string; onChange: (asOf: string | null) => void; onOpenTime: () => void };

const REFUSED = { id: 'no-moment', title: 'This time is not available', className: 'min-h-[23rem]' };

type ShownProps = { asOf: string } & Pick<EarlierProps, 'onOpenTime'>;

export function EarlierDashboard({ asked, onChange, onOpenTime }: EarlierProps) {
  const asOf = parseAsOf(asked);
  if (asOf) return <Shown asOf={asOf} onOpenTime={onOpenTime} />;
  return (
    <>
      <DashboardHead onOpenTime={onOpenTime} data={undefined} />
      <CardFrame {...REFUSED}>
        <Empty title="The URL contains no valid time" note={`“${asked}” is not a date and time.`} />
        <Button className="mx-auto mb-4" onClick={() => onChange(null)}>
          Back to now
        </Button>
      </CardFrame>
    </>
  );
}

/** The page at an earlier time: ages are relative to it, nothing updates, and no current data is mixed in. */
function Shown({ asOf, onOpenTime }: ShownProps) {
  const query = useQuery({
    ...dashboardAtQuery(asOf),
    placeholderData: (earlier: Dashboard | undefined) => earlier,
  });
  const { data, isError, error } = query;
  const shown = data?.asOf ?? data?.timestamp ?? asOf;
  const clock = useMemo(() => new Clock(Date.parse(shown), true), [shown]);
  return (
    <ClockContext value={clock}>
      <DashboardHead moment={minuteTime(asOf)} onOpenTime={onOpenTime} data={data} />
      {isError ? (
        <CardFrame {...REFUSED}>
          <ErrorState message={error.message} onRetry={() => void query.refetch()} />
        </CardFrame>
      ) : (
        <div className="min-h-dvh">
          <PulseStrip
            rows={data?.cryptoPrices}
            totals={data?.totals}
            metrics={data && (data.advancedMetrics ?? null)}
          />
          <div className="mb-3 grid grid-cols-1 gap-3 min-[88rem]:grid-cols-[minmax(0,1fr)_22rem]">
            <AnalysisSection data={data} whole={data !== undefined} past />
            <AlertsSection past />
          </div>
          <PricesCard
            data={data && toPricesData(data)}
            failed={null}
            onRetry={() => {}}
            selected={null}
            onSelect={() => {}}
          />
          {data && <MarketCards past={data} />}
          <PriceOrigins rows={data?.cryptoPrices ?? []} totals={data?.totals} />
        </div>
      )}
    </ClockContext>
  );
}
