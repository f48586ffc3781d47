import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { seriesNamed } from '#features/exports/server/history/service.ts';
import { readCandles } from '#features/market/server/market/service.ts';
import { metricHistory } from '#features/market/server/metrics/service.ts';
import type { FigurePage } from '#features/site/contract/figures.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { Plan } from '#shared/contract.ts';
import { PAGED_FIGURES } from '#shared/figure-pages.ts';
import { COIN_PREFIX } from '#shared/figures.ts';
import { type FigureDeps, rateField } from './current.ts';

const DAYS = 30;

export type HistoryDeps = FigureDeps & { reads: Reads; requestBackfill: (coinId: string) => Promise<void> };

const UNAVAILABLE = { state: 'unavailable', source: null, days: null, points: [], series: null } as const;

/** The last 30 days as far as the plan goes back; of rates that come monthly the last 24 months. */
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
