import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Watch } from '#features/analytics/web/chart-canvas.tsx';
import { ChartCard } from '#features/analytics/web/chart-card.tsx';
import { ExportMenu } from '#features/analytics/web/export-menu.tsx';
import { Filters } from '#features/analytics/web/filters.tsx';
import { StatCards } from '#features/analytics/web/stat-cards.tsx';
import { ASSETS, type Asset, parseView, toCoinId, type View, writeView } from '#features/analytics/web/view.ts';
import { eventTitle } from '#features/events/web/impact.tsx';
import { eventsQuery } from '#features/events/web/queries.ts';
import { withTick } from '#features/market/web/market/quote.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';
import { useTick } from '#features/market/web/market/use-tick.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { price } from '#shared/format.ts';
import { useAddressFilter } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { CardFrame, type CardPlace } from '#ui/card-frame.tsx';
import { Change } from '#ui/change.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Figure } from '#ui/figure.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { Page } from '#ui/page.tsx';
import { part } from '#ui/part.tsx';
import type { AnalyticsCardsProps } from './analytics-cards.tsx';
import { LockedPage } from './locked-page.tsx';

/** The asset of the chart with its current price. */
function AssetHead({ asset }: { asset: Asset }) {
  const { data, isError, refetch } = useQuery(dashboardQuery);
  const id = toCoinId(asset);
  const tick = useTick(id);
  const row = data?.cryptoPrices.find((coin) => coin.id === id);
  const now = row && withTick(row, tick);
  return (
    <div className="mt-1 mb-3 flex min-h-8 flex-wrap items-center gap-x-3">
      <CoinMark symbol={asset} size={26} />
      <p className="font-semibold">
        {ASSETS[asset]} <span className="font-normal text-ink-3">{asset} / USD</span>
      </p>
      {now && (
        <>
          <Figure
            meta={{ ...now.meta, metric: 'coin.price' }}
            name={`${ASSETS[asset]} price`}
            page={`price:${id}`}
            className="num text-xl font-semibold tracking-[-0.02em]"
          >
            ${price(now.price)}
          </Figure>
          <Change value={now.change_24h} />
        </>
      )}
      {!row && isError && (
        <p role="alert" className="flex items-center gap-1 text-sm text-ink-3">
          Couldn’t load the price.
          <Button kind="quiet" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      )}
    </div>
  );
}

const CARDS: CardPlace = { id: 'analytics-cards', title: 'Analytics', className: 'min-h-[80rem]' };
const Cards = part<AnalyticsCardsProps>({
  name: 'Analytics',
  load: async () => (await import('./analytics-cards.tsx')).AnalyticsCards,
  loading: <CardFrame {...CARDS} />,
  frame: (state: ReactNode) => <CardFrame {...CARDS}>{state}</CardFrame>,
});

export function AdvancedAnalyticsPage() {
  return (
    <LockedPage page="advanced-analytics">
      <Open />
    </LockedPage>
  );
}

const watch: Watch = (coinId, listener) => {
  const notify = () => {
    const tick = ticks.get(coinId);
    if (tick) listener(tick.price, tick.at);
  };
  notify();
  return ticks.subscribe(coinId, notify);
};

/** The requests of the page that do not depend on asset and timeframe; the chart has its own. */
const LOADS = [
  ['dashboard'],
  ['backtest'],
  ['metrics'],
  ['analytics', 'summary'],
  ['analytics', 'correlation'],
] as const;
const MORE_LOADS = ['risk', 'sentiment', 'derivatives', 'onchain'].map((name) => ['analytics', name]);

/** As specified, everything is refetched when timeframe or asset changes. */
function useReadAgain({ asset, timeframe }: View): void {
  const queries = useQueryClient();
  const known = useRef(`${asset} ${timeframe}`);
  useEffect(() => {
    const now = `${asset} ${timeframe}`;
    if (known.current === now) return;
    known.current = now;
    for (const queryKey of [...LOADS, ...MORE_LOADS]) void queries.invalidateQueries({ queryKey });
  }, [queries, asset, timeframe]);
}

function Open() {
  const [view, change] = useAddressFilter(parseView, writeView);
  const admin = accountPlan(useAccount()) === 'admin';
  const { data: events } = useQuery(eventsQuery);
  const marks = useMemo(
    () =>
      (events ?? []).map((event) => ({
        id: event.id,
        at: Date.parse(event.date),
        title: eventTitle(event),
        level: event.impact,
      })),
    [events],
  );
  useReadAgain(view);
  return (
    <Page title="Advanced Analytics" action={<ExportMenu view={view} />}>
      <AssetHead asset={view.asset} />
      <div className="grid grid-cols-1 gap-3">
        <ErrorBoundary name="Price Chart">
          <ChartCard view={view} tools={<Filters view={view} onChange={change} />} watch={watch} marks={marks} />
        </ErrorBoundary>
        <ErrorBoundary name="Market Statistics">
          <StatCards />
        </ErrorBoundary>
        <LazyMount frame={<CardFrame {...CARDS} />} className="min-w-0">
          <Cards asset={view.asset} admin={admin} />
        </LazyMount>
      </div>
    </Page>
  );
}
