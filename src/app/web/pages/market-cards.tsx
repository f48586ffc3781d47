import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BacktestCardProps } from '#features/analysis/web/predictions/backtest-card.tsx';
import type { UpcomingCardProps } from '#features/events/web/upcoming-card.tsx';
import type { InflationCardProps } from '#features/inflation/web/inflation-card.tsx';
import type { Layer1CardProps } from '#features/market/web/layer1/layer1-card.tsx';
import type { MetricsCardProps } from '#features/market/web/metrics/metrics-card.tsx';
import type { NarrativesCardProps } from '#features/market/web/narratives/narratives-card.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { CardFrame, type CardPlace, lateCard } from '#ui/card-frame.tsx';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { LazyMount } from '#ui/lazy-mount.tsx';
import { part } from '#ui/part.tsx';

/** Heights of the loaded cards, so that nothing shifts when one loads. */
const EVENTS = { id: 'upcoming-events', title: 'Upcoming Events', className: 'min-h-[42rem]' };
const INFLATION = { id: 'inflation', title: 'Inflation', className: 'min-h-[80rem] xl:min-h-[33rem]' };
const NARRATIVES = {
  id: 'trending-narratives',
  title: 'Trending Narratives',
  className: 'min-h-[46rem] md:min-h-[42rem]',
};
const METRICS = {
  id: 'advanced-metrics',
  title: 'Advanced Metrics',
  className: 'min-h-[63rem] md:min-h-[42rem] xl:min-h-[33rem] min-[88rem]:min-h-[26.5rem]',
};
const BACKTEST = {
  id: 'backtest',
  title: 'Backtest Performance',
  className: 'min-h-[57rem] sm:min-h-[44rem] lg:min-h-[29rem]',
};
const LAYER1 = { id: 'layer-1', title: 'Layer 1 Blockchains', className: 'min-h-[32rem]' };

const Upcoming = part<UpcomingCardProps>({
  ...lateCard(EVENTS),
  load: async () => (await import('#features/events/web/upcoming-card.tsx')).UpcomingCard,
});
const Inflation = part<InflationCardProps>({
  ...lateCard(INFLATION),
  load: async () => (await import('#features/inflation/web/inflation-card.tsx')).InflationCard,
});
const Narratives = part<NarrativesCardProps>({
  ...lateCard(NARRATIVES),
  load: async () => (await import('#features/market/web/narratives/narratives-card.tsx')).NarrativesCard,
});
const Metrics = part<MetricsCardProps>({
  ...lateCard(METRICS),
  load: async () => (await import('#features/market/web/metrics/metrics-card.tsx')).MetricsCard,
});
const Layer1 = part<Layer1CardProps>({
  ...lateCard(LAYER1),
  load: async () => (await import('#features/market/web/layer1/layer1-card.tsx')).Layer1Card,
});
const Backtest = part<BacktestCardProps>({
  ...lateCard(BACKTEST),
  load: async () => (await import('./backtest-section.tsx')).BacktestSection,
});
const NarrativeStrip = part<Pick<NarrativesCardProps, 'past'>>({
  name: 'The top narratives',
  load: async () => (await import('#features/market/web/narratives/narrative-strip.tsx')).NarrativeStrip,
  loading: <div className="skel h-15" />,
});

function Place({ card, children }: { card: CardPlace; children: ReactNode }) {
  return (
    <ErrorBoundary name={card.title}>
      <LazyMount frame={<CardFrame {...card} />} className="min-w-0">
        {children}
      </LazyMount>
    </ErrorBoundary>
  );
}

/**
 * The cards below the prices. Without `past` each makes its own request; with it they show that payload, and inflation
 * fetches its state at that time.
 */
export function MarketCards({ past }: { past: Dashboard | undefined }) {
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery({
    ...dashboardQuery,
    enabled: past === undefined,
    select: ({ backtestResults, upcomingEvents, upcomingCounts }) => ({
      backtestResults,
      upcomingEvents,
      upcomingCounts,
    }),
  });
  // The seed of the page has no record: until the first response it is loading, afterwards it does not exist.
  const whole = past ?? (dataUpdatedAt > 0 ? data : undefined);
  const state = past ? { isError: false, error: null, refetch } : { isError, error, refetch };
  const record = { ...state, data: whole && (whole.backtestResults ?? null) };
  const events = { ...state, data: whole && (whole.upcomingEvents ?? null) };
  const narratives = past && (past.trendingNarratives ?? null);
  return (
    <div className="mt-3 grid grid-cols-1 gap-3">
      <Place card={INFLATION}>
        <Inflation {...INFLATION} asOf={past?.asOf ?? null} />
      </Place>
      <div className="grid grid-cols-1 gap-3 xl:grid-cols-[5fr_7fr]">
        <Place card={EVENTS}>
          <Upcoming {...EVENTS} query={events} counts={whole?.upcomingCounts} past={past !== undefined} />
        </Place>
        <Place card={NARRATIVES}>
          <Narratives {...NARRATIVES} past={narratives} />
        </Place>
      </div>
      <Place card={METRICS}>
        <Metrics {...METRICS} past={past && (past.advancedMetrics ?? null)}>
          <NarrativeStrip past={narratives} />
        </Metrics>
      </Place>
      <Place card={BACKTEST}>
        <Backtest {...BACKTEST} query={record} past={past !== undefined} />
      </Place>
      <Place card={LAYER1}>
        <Layer1 {...LAYER1} past={past && (past.layer1Data ?? null)} />
      </Place>
    </div>
  );
}
