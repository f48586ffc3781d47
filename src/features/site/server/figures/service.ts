import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { seriesNamed } from '#features/exports/server/history/service.ts';
import type { LatestInflation, YearGap } from '#features/inflation/contract.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import { type Market, readCandles, readCoin } from '#features/market/server/market/service.ts';

import { type Figure, type Metrics, metricHistory } from '#features/market/server/metrics/service.ts';
import type { FigurePage } from '#features/site/contract/figures.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { Plan } from '#shared/contract.ts';
import { PAGED_FIGURES, type PagedFigure } from '#shared/figure-pages.ts';
import { COIN_PREFIX, hasOrigin } from '#shared/figures.ts';
import { dateTime } from '#shared/format.ts';
import type { Term } from '#shared/glossary/term.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { compareSources, distances, originOf } from './compare.ts';

type FigureDeps = {
  now: () => Date;
  market: Market;
  metrics: Metrics;
  inflation: Pick<Inflation, 'latest'>;
};

/** A figure as it is now, without its past. */
export type CurrentFigure = Omit<FigurePage, 'timestamp' | 'history'>;

/** Metrics whose change over 24 hours says something. */
const CHANGES: Readonly<Record<string, 'percent' | 'points'>> = {
  'dominance.btc': 'points',
  'market.cap': 'percent',
  'market.volume': 'percent',
  'stablecoins.supply': 'percent',
};

const worded = ({ unit, meaning, formula, reading }: Term) => ({
  unit,
  meaning,
  formula,
  ...(reading === undefined ? {} : { reading }),
});

function withChange(metric: string, value: Figure, change: Figure | null) {
  const none: Figure = { value: null, meta: { metric, reason: 'No 24h change is computed for this figure' } };
  const { value: change_24h, meta } = change ?? none;
  return { value: value.value, change_24h, meta: { value: value.meta, change_24h: meta } };
}

function metricFigure({ metrics }: FigureDeps, metric: string, { name, term }: PagedFigure): CurrentFigure {
  const { snapshot } = metrics.current();
  const kind = CHANGES[metric];
  return {
    metric,
    name,
    ...worded(term),
    ...withChange(metric, snapshot.figure(metric), kind ? snapshot.change(metric, kind) : null),
    note: null,
    ...compareSources(snapshot, metric),
  };
}

/** The newest rate where that of the newest month cannot be computed. */
function gapText(gap: YearGap | undefined): string {
  if (gap?.newestYoY == null || gap.newestPeriod === null) return '';
  const [, month = ''] = /^1 (\w+ \d+)/.exec(dateTime(Date.parse(`${gap.newestPeriod}-01`))) ?? [];
  return `The newest rate that can be computed is ${gap.newestYoY.toFixed(1)}% for ${month}.`;
}

/** The place of a rate in the answer on inflation. */
const rateField = ({ indicator, isCore, rate }: PagedFigure & { kind: 'inflation' }) => {
  const series = isCore ? `core${indicator.toUpperCase()}` : indicator;
  return { series, field: `${series}${rate === 'mom' ? 'MoM' : 'YoY'}` };
};

type Release = Record<string, number | null> & Pick<NonNullable<LatestInflation['cpi']>, 'meta' | 'gaps'>;

function inflationFigure(
  latest: LatestInflation,
  metric: string,
  page: PagedFigure & { kind: 'inflation' },
): CurrentFigure {
  const release = latest[page.indicator] as Release | null;
  const { field } = rateField(page);
  const meta = release?.meta[field] ?? { metric, reason: 'No release has been collected yet' };
  const value = release?.[field] ?? null;
  return {
    metric,
    name: page.name,
    ...worded(page.term),
    ...withChange(metric, { value, meta: { ...meta, metric } }, null),
    note: [gapText(release?.gaps[field]), latest.note].filter(Boolean).join(' ') || null,
    comparison: 'points',
    sources:
      hasOrigin(meta) && value !== null
        ? [{ source: meta.source, value, difference: 0, isShown: true, meta: originOf(meta) }]
        : [],
  };
}

async function coinFigure({ market, now }: FigureDeps, metric: string, id: string): Promise<CurrentFigure | undefined> {
  const found = await readCoin(market.ctx, id);
  if (!found) return undefined;
  const { coin, quotes } = found;
  const { price: value, meta, change_24h: change } = coin;
  // The board may know a newer price of a source than the stored one.
  const known = quotes.map(({ source, price, meta: own }) =>
    source === meta.source ? { source, value, meta } : { source, value: price, meta: own },
  );
  const reason = 'No source provides it for this coin';
  return {
    metric,
    name: `${coin.name} price`,
    ...worded(GLOSSARY['coin.price'] as Term),
    value,
    change_24h: change,
    meta: {
      value: { ...meta, metric },
      change_24h: change === null ? { metric: 'coin.change', reason } : { ...meta, metric: 'coin.change' },
    },
    note: null,
    comparison: 'percent',
    sources: distances(value, meta.source, known, 'percent', now()),
  };
}

/** Undefined for a figure that has no page. */
export async function findFigure(deps: FigureDeps, metric: string): Promise<CurrentFigure | undefined> {
  if (metric.startsWith(COIN_PREFIX)) return coinFigure(deps, metric, metric.slice(COIN_PREFIX.length));
  const page = PAGED_FIGURES.get(metric);
  if (!page) return undefined;
  return page.kind === 'inflation'
    ? inflationFigure(deps.inflation.latest(), metric, page)
    : metricFigure(deps, metric, page);
}

const DAYS = 30;

export type HistoryDeps = FigureDeps & { reads: Reads; requestBackfill: (coinId: string) => Promise<void> };

const UNAVAILABLE = { state: 'unavailable', source: null, days: null, points: [], series: null } as const;

/** The last 30 days, within the plan’s limit; monthly rates have the last 24 months. */
export async function figureHistory(
  deps: HistoryDeps,
  metric: string,
  plan: Plan | null,
): Promise<FigurePage['history']> {
  if (metric.startsWith(COIN_PREFIX)) return coinHistory(deps, metric.slice(COIN_PREFIX.length), plan);
  const page = PAGED_FIGURES.get(metric);
  if (page?.kind === 'inflation') {
    const months = deps.inflation.latest().history[rateField(page).series] ?? [];
    const points = months.flatMap(({ period, [page.rate]: value }) =>
      value === null ? [] : [{ at: `${period}-01T00:00:00.000Z`, value }],
    );
    return { ...UNAVAILABLE, state: 'complete', points };
  }
  const days = Math.min(DAYS, PLAN_LIMITS[plan ?? 'free'].historyDays ?? DAYS);
  const { source, points } = await deps.reads.answer((db) => metricHistory({ ...deps.metrics.ctx, db }, metric, days));
  return { state: 'complete', source, days, points, series: seriesNamed(metric) };
}

async function coinHistory(
  { market: { ctx }, reads, requestBackfill }: HistoryDeps,
  id: string,
  plan: Plan | null,
): Promise<FigurePage['history']> {
  const { history, candles, meta } = await reads.answer((db) =>
    readCandles({ ...ctx, db }, { id, range: '30d', plan }, requestBackfill),
  );
  // Of several coins of one symbol the page of historical data has the largest.
  const symbol = ctx.board.find(id)?.symbol;
  const isNamed = ctx.board.prices().find((coin) => coin.symbol === symbol)?.id === id;
  return {
    state: history,
    source: meta?.source ?? null,
    days: DAYS,
    points: candles.map(({ at, close }) => ({ at, value: close })),
    series: symbol !== undefined && isNamed ? { type: 'CRYPTO_PRICE', symbol: symbol.toUpperCase() } : null,
  };
}
