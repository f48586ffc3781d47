import type { Series } from '#kernel/packed-series.ts';

import type { MetricsContext } from '../context.ts';
import { findRule, OWN } from '../metrics.ts';
import { dailyValues, daysBySource, readSeries } from '../store.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Metrics shown with their history. */
const DRAWN = [
  'dominance.btc',
  'market.cap',
  'stablecoins.supply',
  'ssr',
  'flow.btc.net',
  'flow.eth.net',
  'fear_greed',
  'altcoin_season',
  'oi.total',
  'funding.market',
  'hash_rate',
  'addresses.btc.active',
];

export type DailyPoint = { day: string; value: number };
export type History = { byMetric: Record<string, number[]>; fearGreed: DailyPoint[] };

/** The longest history among the metric's sources, oldest first. */
function longest(metric: string, rows: { source: string; day: string; value: number }[]): DailyPoint[] {
  const bySource = Map.groupBy(rows, ({ source }) => source);
  const series = findRule(metric).order.flatMap((source) => bySource.get(source) ?? []).length
    ? findRule(metric).order.map((source) => bySource.get(source) ?? [])
    : [...bySource.values()];
  return series.reduce<DailyPoint[]>((best, next) => (next.length > best.length ? next : best), []);
}

/** Thirty days of daily values up to `at`. */
export async function readHistory(ctx: MetricsContext, at: Date): Promise<History> {
  const rows = await dailyValues(ctx.db, DRAWN, new Date(at.getTime() - DAYS * DAY_MS), at);
  const byMetric = Map.groupBy(rows, ({ metric }) => metric);
  const series = new Map([...byMetric].map(([metric, values]) => [metric, longest(metric, values).slice(-DAYS)]));
  return {
    byMetric: Object.fromEntries(
      [...series].flatMap(([metric, points]) =>
        points.length > 1 ? [[metric, points.map(({ value }) => Number(value.toPrecision(7)))]] : [],
      ),
    ),
    fearGreed: series.get('fear_greed') ?? [],
  };
}

/** The history of one metric, one value per day, from its source with the longest history. */
export async function metricHistory(ctx: MetricsContext, metric: string, days: number) {
  const now = ctx.now();
  const rows = await dailyValues(ctx.db, [metric], new Date(now.getTime() - days * DAY_MS), now);
  const points = longest(metric, rows).slice(-days);
  const source = rows.find((row) => row.day === points[0]?.day && row.value === points[0]?.value)?.source;
  return {
    metric,
    source: source === undefined ? null : source === OWN ? 'Meridian' : ctx.sources.nameOf(source),
    historyDays: points.length,
    points: points.map(({ day, value }) => ({ at: `${day}T00:00:00.000Z`, value })),
  };
}

/** One value per day for each metric between two moments, from its source with the longest history. */
export async function dailySeries(
  ctx: MetricsContext,
  metrics: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, DailyPoint[]>> {
  const rows = await dailyValues(ctx.db, [...metrics], from, to);
  return new Map([...Map.groupBy(rows, ({ metric }) => metric)].map(([metric, own]) => [metric, longest(metric, own)]));
}

export type MetricSeries = Series & { source: string };

/** Every value of a metric from the source with the longest history; among equals the metric's preferred source. */
export async function metricSeries(
  ctx: MetricsContext,
  metric: string,
  from: Date,
  to: Date,
): Promise<MetricSeries | undefined> {
  const days = await daysBySource(ctx.db, metric, from, to);
  const { order } = findRule(metric);
  const known = order.filter((source) => days.has(source));
  const [best] = (known.length > 0 ? known : [...days.keys()]).toSorted(
    (a, b) => (days.get(b) ?? 0) - (days.get(a) ?? 0),
  );
  if (best === undefined) return undefined;
  const source = best === OWN ? 'Meridian' : ctx.sources.nameOf(best);
  return { ...(await readSeries(ctx.db, metric, best, from, to)), source };
}
