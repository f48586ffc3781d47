import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Watch } from '#features/analytics/web/chart-canvas.tsx';
import { ChartCard } from '#features/analytics/web/chart-card.tsx';
import { ExportMenu } from '#features/analytics/web/export-menu.tsx';
import { Filters } from '#features/analytics/web/filters.tsx';
import { StatCards } from '#features/analytics/web/stat-cards.tsx';
import { parseView, type View, writeView } from '#features/analytics/web/view.ts';
import { eventsQuery } from '#features/events/web/queries.ts';
import { titleOf } from '#features/events/web/words.ts';
import { ticks } from '#features/market/web/tick-store.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { useAccount } from '#features/subscriptions/web/use-subscription.ts';
import { useAddressFilter } from '#web/ui/address-filter.ts';
import { CardFrame, type CardPlace } from '#web/ui/card-frame.tsx';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { Near } from '#web/ui/near.tsx';
import { part } from '#web/ui/part.tsx';
import { useArrival } from '#web/ui/use-arrival.ts';
import { useTitle } from '#web/ui/use-title.ts';

import type { AnalyticsCardsProps } from './analytics-cards.tsx';
import { AssetHead } from './asset-head.tsx';
import { LockedPage } from './locked-page.tsx';

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
  const tell = () => {
    const tick = ticks.get(coinId);
    if (tick) listener(tick.price, tick.at);
  };
  tell();
  return ticks.subscribe(coinId, tell);
};

/** The calls of the page that say the same for every asset and timeframe; the chart asks for its own. */
const LOADS = [
  ['dashboard'],
  ['backtest'],
  ['metrics'],
  ['analytics', 'summary'],
  ['analytics', 'correlation'],
] as const;
const MORE_LOADS = ['risk', 'sentiment', 'derivatives', 'onchain'].map((name) => ['analytics', name]);

/** As specified, everything is read again when timeframe or asset changes. */
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
  useTitle('Advanced Analytics');
  useArrival();
  const [view, change] = useAddressFilter(parseView, writeView);
  const admin = planOf(useAccount()) === 'admin';
  const { data: events } = useQuery(eventsQuery);
  const marks = useMemo(
    () =>
      (events ?? []).map((event) => ({
        id: event.id,
        at: Date.parse(event.date),
        title: titleOf(event),
        level: event.impact,
      })),
    [events],
  );
  useReadAgain(view);
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold tracking-[-0.02em]">Advanced Analytics</h1>
          <AssetHead asset={view.asset} />
        </div>
        <ExportMenu view={view} />
      </div>
      <div className="grid grid-cols-1 gap-3">
        <ErrorBoundary name="Price chart">
          <ChartCard view={view} tools={<Filters view={view} onChange={change} />} watch={watch} marks={marks} />
        </ErrorBoundary>
        <ErrorBoundary name="Market statistics">
          <StatCards />
        </ErrorBoundary>
        <Near frame={<CardFrame {...CARDS} />} className="min-w-0">
          <Cards asset={view.asset} admin={admin} />
        </Near>
      </div>
    </div>
  );
}
