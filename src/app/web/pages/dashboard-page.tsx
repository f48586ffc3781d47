import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type ComponentProps, useCallback, useDeferredValue } from 'react';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { CollectionPanelProps } from '#features/analysis/web/analysis/collection-panel.tsx';
import type { ChartCallsProps } from '#features/analysis/web/predictions/chart-calls.tsx';
import { ExpectedRanges } from '#features/market/web/market/expected-ranges.ts';
import { PriceOrigins } from '#features/market/web/market/figure-origin.tsx';
import { PricesCard } from '#features/market/web/market/prices-card.tsx';
import { PulseStrip } from '#features/market/web/market/pulse-strip.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { ChangesLineProps } from '#features/site/web/dashboard/changes-line.tsx';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import type { TimeBarProps } from '#features/site/web/dashboard/time-bar.tsx';
import { Button } from '#ui/button.tsx';
import { CardFrame, type CardPlace, lateCard } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { part } from '#ui/part.tsx';
import { isAdminKept } from '#ui/session.ts';
import { useTitle } from '#ui/use-title.ts';
import { AlertsSection } from './alerts-section.tsx';
import { AnalysisSection } from './analysis-section.tsx';
import { DashboardHead, toPricesData } from './dashboard-head.tsx';
import type { EarlierProps } from './earlier-dashboard.tsx';
import { MarketCards } from './market-cards.tsx';
import { useAddress } from './use-address.ts';

const HELD = 'card mb-3 h-[3.125rem]';

const Panel = part<CollectionPanelProps>({
  name: 'The Data Collection panel',
  load: async () => (await import('#features/analysis/web/analysis/collection-panel.tsx')).CollectionPanel,
  loading: <div className={HELD} />,
});

/** For admins only. Until the user is known, space is reserved for users who were admins before. */
function CollectionSection({ data }: { data: Dashboard | undefined }) {
  const account = useAccount();
  const queries = useQueryClient();
  const refresh = useCallback(() => void queries.invalidateQueries(), [queries]);
  if (accountPlan(account) === 'admin')
    return (
      <Panel
        known={{
          market: data?.lastCollectionTime ?? null,
          analysis: data?.aiAnalysis?.timestamp ?? null,
          backtest: data?.backtestResults?.timestamp ?? null,
        }}
        onRefresh={refresh}
      />
    );
  if (account.state === 'anonymous') return <div className={cx(HELD, 'hidden signed-in-admin:block')} />;
  return account.state === 'unknown' && !account.failed && isAdminKept() ? <div className={HELD} /> : null;
}

const EarlierDashboard = part<EarlierProps>({
  name: 'The earlier moment',
  load: async () => (await import('./earlier-dashboard.tsx')).EarlierDashboard,
  loading: <div className="min-h-dvh" />,
});

const ChartCalls = part<ChartCallsProps>({
  name: 'Past calls',
  load: async () => (await import('#features/analysis/web/predictions/chart-calls.tsx')).ChartCalls,
  loading: <div className="h-12 border-t border-line" />,
});

const TimeBar = part<TimeBarProps>({
  name: 'The time bar',
  load: async () => (await import('#features/site/web/dashboard/time-bar.tsx')).TimeBar,
});

/** Above everything else, so its height is fixed. */
const CHANGES = { className: 'card mb-3 h-37 sm:h-19 xl:h-13' };

const Changes = part<ChangesLineProps>({
  load: async () => (await import('#features/site/web/dashboard/changes-line.tsx')).ChangesLine,
  loading: <div {...CHANGES} />,
  failed: () => null,
});

const BRIEF = { id: 'market-brief', title: 'Market Brief', className: 'min-h-160 sm:min-h-67' };

const Brief = part<CardPlace>({
  ...lateCard(BRIEF),
  load: async () => (await import('#features/site/web/dashboard/brief-card.tsx')).BriefCard,
});

const Dialogs = part({
  load: async () => (await import('./dashboard-dialogs.tsx')).DashboardDialogs,
  failed: () => null,
});

export function DashboardPage() {
  // Entering the past adds a step to the browser’s history; the times passed in a drag do not.
  const [asOf, enter] = useAddress('asOf');
  const [, move] = useAddress('asOf', true);
  const onChange = asOf ? move : enter;
  const [range, setRange] = useAddress('time', true);
  const plan = accountPlan(useAccount());
  const onOpenTime = () => setRange('7d');
  useTitle('Market Dashboard');
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      {asOf ? (
        <EarlierDashboard asked={asOf} onChange={onChange} onOpenTime={onOpenTime} />
      ) : (
        <Live onOpenTime={onOpenTime} />
      )}
      {(asOf ?? range) !== null && (
        <div className="sticky bottom-0 z-20 mt-3">
          <TimeBar asked={asOf} onChange={onChange} askedRange={range} onRange={setRange} plan={plan} />
        </div>
      )}
    </div>
  );
}

function Live({ onOpenTime }: { onOpenTime: () => void }) {
  const dashboard = useQuery(dashboardQuery);
  const { data, isError, error } = dashboard;
  const retry = () => void dashboard.refetch();
  // Drawn in slices that yield to input, after the head and the strip.
  const later = useDeferredValue(data);
  const isWhole = useDeferredValue(dashboard.dataUpdatedAt > 0);
  return (
    <>
      <DashboardHead onOpenTime={onOpenTime} data={data} />
      {isError && data && <Outdated onRetry={retry} />}
      <Changes {...CHANGES} />
      <PulseStrip
        rows={data?.cryptoPrices}
        totals={data?.totals}
        metrics={data?.advancedMetrics ?? (isError || dashboard.dataUpdatedAt > 0 ? null : undefined)}
        failed={isError && !data}
      />
      <CollectionSection data={data} />
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-1 gap-3 min-[88rem]:grid-cols-[minmax(0,1fr)_22rem]">
          <AnalysisSection data={later} whole={isWhole} error={isError ? error : null} onRetry={retry} />
          <AlertsSection />
        </div>
        <LazyMount frame={<CardFrame {...BRIEF} />} className="min-w-0">
          <Brief {...BRIEF} />
        </LazyMount>
        {/* A phone shows prices first. */}
        <div className="min-w-0 max-sm:order-first">
          <ErrorBoundary name="Crypto Prices">
            <ExpectedRanges value={{ ...later, isLoading: !isWhole && !isError, ChartCalls }}>
              <Prices
                data={later}
                failed={isError ? { message: 'Error: Failed to fetch dashboard data', detail: error.message } : null}
                onRetry={retry}
              />
            </ExpectedRanges>
          </ErrorBoundary>
        </div>
      </div>
      <MarketCards past={undefined} />
      <LazyMount frame={null}>
        <Dialogs />
      </LazyMount>
      <PriceOrigins rows={later?.cryptoPrices ?? []} totals={later?.totals} />
    </>
  );
}

type PricesProps = Pick<ComponentProps<typeof PricesCard>, 'failed' | 'onRetry'> & { data: Dashboard | undefined };

/** A separate component, so that opening a coin does not render the rest of the dashboard. */
function Prices({ data, ...rest }: PricesProps) {
  const [coin, selectCoin] = useAddress('coin', true);
  return <PricesCard {...rest} data={data && toPricesData(data)} selected={coin} onSelect={selectCoin} />;
}

/** A request failed while data is shown: the data stays, with a notice. */
function Outdated({ onRetry }: { onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-warn/40 bg-warn/10 px-4 py-2"
    >
      <p className="text-sm font-medium text-warn">
        Failed to load dashboard data. The last values remain, with their age.
      </p>
      <Button className="ml-auto" onClick={onRetry}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Retry
      </Button>
    </div>
  );
}
