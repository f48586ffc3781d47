import type { HistoryType } from '#features/exports/contract/history.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { absentReason, findRule } from '#features/market/server/metrics/service.ts';
import type { HistoryContext } from '../context.ts';
import { SERIES, type SeriesRule } from '../series.ts';
import { readSpans, type Span } from '../store.ts';

const DAY_MS = 86_400_000;
/** A source silent for this long before another one no longer represents the series. */
const SILENT_MS = 7 * DAY_MS;
/** Histories that differ by less count as equally long. */
const SAME_MS = 2 * DAY_MS;
const COPYRIGHTED: ReadonlySet<string> = new Set(['macro.sp500', 'macro.vix']);

export type CoinSeries = { symbol: string; id: string };
export type MetricSeries = { symbol: string; rule: SeriesRule; source: string };

/** Series read for one request, in symbol order; `absent` explains why one has no values. */
export type Asked =
  | { kind: 'coins'; symbols: string[]; series: CoinSeries[]; absent: string }
  | { kind: 'metrics'; symbols: string[]; series: MetricSeries[]; absent: string };

const bySymbol = <T extends { symbol: string }>(series: T[]): T[] =>
  series.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));

const unknown = (symbol: string) => `No ${symbol} in this data type`;

export async function findSeries(ctx: HistoryContext, type: HistoryType, symbol: string | undefined): Promise<Asked> {
  const wanted = symbol?.trim().toUpperCase() || undefined;
  return type === 'CRYPTO_PRICE' ? findCoins(ctx, wanted) : findMetrics(ctx, SERIES[type], wanted);
}

function findCoins({ market }: HistoryContext, wanted: string | undefined): Asked {
  const ids = new Map<string, string>();
  for (const { symbol, id } of market.ctx.board.prices())
    if (!ids.has(symbol.toUpperCase())) ids.set(symbol.toUpperCase(), id);
  for (const { symbol, id } of TRACKED) ids.set(symbol, id);
  const symbols = wanted ? [wanted] : TRACKED.map((coin) => coin.symbol);
  const series = symbols.flatMap((symbol) => {
    const id = ids.get(symbol);
    return id === undefined ? [] : [{ symbol, id }];
  });
  const absent =
    wanted && series.length === 0
      ? unknown(wanted)
      : 'History for this coin is still being collected, or no source provides it';
  return { kind: 'coins', symbols: [...ids.keys()], series: bySymbol(series), absent };
}

async function findMetrics(
  { db, metrics }: HistoryContext,
  rules: readonly SeriesRule[],
  wanted: string | undefined,
): Promise<Asked> {
  const matching = rules.filter(({ symbol }) => wanted === undefined || symbol === wanted);
  const spans = Map.groupBy(
    await readSpans(
      db,
      matching.map(({ metric }) => metric),
    ),
    ({ metric }) => metric,
  );
  const series = matching.flatMap((rule): MetricSeries[] => {
    const source = preferredSource(rule.metric, spans.get(rule.metric) ?? []);
    return source === undefined ? [] : [{ symbol: rule.symbol, rule, source }];
  });
  const [first] = matching;
  const absent = first ? absenceReason(first.metric, metrics.ctx.config.FRED_COPYRIGHTED) : unknown(wanted ?? '');
  return { kind: 'metrics', symbols: rules.map(({ symbol }) => symbol), series: bySymbol(series), absent };
}

const absenceReason = (metric: string, licensed: boolean) =>
  COPYRIGHTED.has(metric) && !licensed
    ? 'The S&P 500 and the VIX are copyrighted: set FRED_COPYRIGHTED=1 if you hold a license'
    : absentReason(metric);

/**
 * One source for the whole series: among active ones the longest history, and of equal ones the metric's preferred
 * source.
 */
function preferredSource(metric: string, spans: readonly Span[]): string | undefined {
  const { order } = findRule(metric);
  const rank = (source: string) => (order.includes(source) ? order.indexOf(source) : order.length);
  const ranked = spans
    .filter(({ source }) => order.length === 0 || order.includes(source))
    .map(({ source, first, last }) => ({ source, first: Date.parse(first), last: Date.parse(last) }))
    .toSorted((a, b) => rank(a.source) - rank(b.source));
  const newest = Math.max(...ranked.map(({ last }) => last));
  const active = ranked.filter(({ last }) => newest - last <= SILENT_MS);
  const oldest = Math.min(...active.map(({ first }) => first));
  return active.find(({ first }) => first - oldest <= SAME_MS)?.source;
}
