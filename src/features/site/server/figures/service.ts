import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { seriesNamed } from '#features/exports/server/history/service.ts';
import { readCandles, readListedDays } from '#features/market/server/market/service.ts';
import { changeMetric, metricHistory, narrativeMetric } from '#features/market/server/metrics/service.ts';
import type { FigurePage } from '#features/site/contract/figures.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { Plan } from '#shared/contract.ts';
import { type NarrativeFigure, PAGED_FIGURES, parseCoinFigure, parseNarrativeFigure } from '#shared/figure-pages.ts';
import { type FigureDeps, rateField } from './current.ts';

export { type CurrentFigure, findFigure } from './current.ts';

const DAYS = 30;
/** Series with one value per month. */
const MONTHLY: ReadonlySet<string> = new Set(['macro.fed_funds']);
const TWO_YEARS = 731;

export type HistoryDeps = FigureDeps & { reads: Reads; requestBackfill: (coinId: string) => Promise<void> };

const NONE = { source: null, days: null, series: null };

/** The last 30 days, within the plan’s limit; monthly values have the last 24 months. */
export async function figureHistory(
  deps: HistoryDeps,
  metric: string,
  plan: Plan | null,
): Promise<FigurePage['history']> {
  const days = Math.min(DAYS, PLAN_LIMITS[plan ?? 'free'].historyDays ?? DAYS);
  const ofCoin = parseCoinFigure(metric);
  if (ofCoin?.figure === 'price') return priceHistory(deps, ofCoin.id, plan);
  if (ofCoin) return listedHistory(deps, ofCoin.id, ofCoin.figure === 'cap' ? 'market_cap' : 'volume_24h', days);
  const ofNarrative = parseNarrativeFigure(metric);
  if (ofNarrative) return narrativeHistory(deps, ofNarrative, days);
  const page = PAGED_FIGURES.get(metric);
  if (page?.kind === 'inflation') {
    const months = deps.inflation.latest().history[rateField(page).series] ?? [];
    const points = months.flatMap(({ period, [page.rate]: value }) =>
      value === null ? [] : [{ at: `${period}-01T00:00:00.000Z`, value }],
    );
    return { ...NONE, state: 'complete', points };
  }
  const isMonthly = MONTHLY.has(metric);
  const stored = await storedHistory(deps, metric, isMonthly ? TWO_YEARS : days);
  return { ...stored, days: isMonthly ? null : days, series: seriesNamed(metric) };
}

async function storedHistory({ reads, metrics }: HistoryDeps, metric: string, days: number) {
  const { source, points } = await reads.answer((db) => metricHistory({ ...metrics.ctx, db }, metric, days));
  return { state: 'complete' as const, source, days, points, series: null };
}

/** Volume and change are observed; scores that rank narratives against each other are computed on read. */
async function narrativeHistory(
  deps: HistoryDeps,
  { figure, id }: { figure: NarrativeFigure; id: string },
  days: number,
): Promise<FigurePage['history']> {
  if (figure === 'volume') return storedHistory(deps, narrativeMetric(id), days);
  if (figure === 'change') return storedHistory(deps, changeMetric(id), days);
  return { ...NONE, state: 'not_stored', points: [] };
}

/** Daily values of the price list. */
async function listedHistory(
  { market: { ctx }, reads }: HistoryDeps,
  id: string,
  field: 'market_cap' | 'volume_24h',
  days: number,
): Promise<FigurePage['history']> {
  const rows = await reads.answer((db) => readListedDays({ ...ctx, db }, id, days));
  const points = rows.flatMap(({ day, source, [field]: value }) =>
    value === null ? [] : [{ at: `${day}T00:00:00.000Z`, value, source }],
  );
  const sources = new Set(points.map(({ source }) => source));
  return {
    state: 'complete',
    source: [...sources].join(', ') || null,
    days,
    points: points.map(({ at, value }) => ({ at, value })),
    series: null,
  };
}

async function priceHistory(
  { market: { ctx }, reads, requestBackfill }: HistoryDeps,
  id: string,
  plan: Plan | null,
): Promise<FigurePage['history']> {
  const { history, candles, meta } = await reads.answer((db) =>
    readCandles({ ...ctx, db }, { id, range: '30d', plan }, requestBackfill),
  );
  // Of several coins with one symbol the historical data page has the largest.
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
