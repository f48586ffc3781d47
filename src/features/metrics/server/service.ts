import { marketTopic } from '#features/market/contract.ts';
import type { Db } from '#server/platform/db.ts';
import type { AdvancedMetrics, DerivativeRow, OnchainRow, SentimentReading } from '../contract.ts';
import type { MetricsContext } from './context.ts';
import { composeAdvanced } from './service/advanced.ts';
import { type DailyPoint, dailySeries, type MetricSeries, metricSeries, readHistory } from './service/history.ts';
import { readSnapshot } from './service/read-snapshot.ts';
import { composeRows } from './service/rows.ts';
import { simulatedThrough } from './service/simulated-past.ts';
import type { Snapshot } from './snapshot.ts';

export type { MetricsContext } from './context.ts';
export { type Figure, group } from './figure.ts';
export { absentReason, OWN, ruleOf } from './metrics.ts';
export {
  categoryOf,
  changeMetric,
  NARRATIVE,
  type NarrativeDetail,
  type NarrativeFacts,
  narrativeDetail,
  narrativeFacts,
} from './narrative-facts.ts';
export { correlationsOf } from './service/correlation.ts';
export { seasonCoins } from './service/derive/season.ts';
export type { DailyPoint, MetricSeries } from './service/history.ts';
export { startLiquidations } from './service/liquidations.ts';
export type { Snapshot } from './snapshot.ts';
export type { PastMarket, StoredObservation } from './types.ts';

/** Everything the metrics say at one moment. */
export type MetricsView = {
  advanced: AdvancedMetrics;
  sentiment: SentimentReading;
  derivatives: DerivativeRow[];
  onchain: OnchainRow[];
  snapshot: Snapshot;
};

export type Metrics = {
  ctx: MetricsContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** What is known now; throws before `start`. */
  current: () => MetricsView;
  /** What was known then, from stored observations. */
  at: (moment: Date) => Promise<MetricsView>;
  /** Every value of one metric, oldest first, from the source that knows the most days; undefined when there is none. */
  series: (metric: string, from: Date, to: Date) => Promise<MetricSeries | undefined>;
  /** A value a UTC day for each metric, oldest first. */
  daily: (metrics: readonly string[], from: Date, to: Date) => Promise<Map<string, DailyPoint[]>>;
  /** Demo only: how far back the simulated past is stored by now. */
  simulatedThrough: () => Promise<Date | null>;
  /** The same metrics, what is asked of their past read from that database. */
  over: (db: Db) => Metrics;
};

/** The metrics of this process, kept in step with the database by the live topic. */
export function createMetrics(ctx: MetricsContext): Metrics {
  const handlers = new Set<() => void>();
  let view: MetricsView | null = null;

  async function viewAt(moment: Date, on = ctx): Promise<MetricsView> {
    const [snapshot, history] = await Promise.all([readSnapshot(on, moment), readHistory(on, moment)]);
    const advanced = composeAdvanced(snapshot, history.byMetric);
    return { advanced, snapshot, ...composeRows(snapshot, advanced, history) };
  }

  async function reload(): Promise<void> {
    view = await viewAt(ctx.now());
    for (const handler of handlers) handler();
  }

  const past = (on: MetricsContext) => ({
    ctx: on,
    at: (moment: Date) => viewAt(moment, on),
    series: (metric: string, from: Date, to: Date) => metricSeries(on, metric, from, to),
    daily: (names: readonly string[], from: Date, to: Date) => dailySeries(on, names, from, to),
  });

  const metrics: Metrics = {
    ...past(ctx),
    over: (db) => ({ ...metrics, ...past({ ...ctx, db, market: ctx.market.over(db) }) }),
    async start() {
      ctx.live.on(marketTopic, async ({ changed }) => {
        if (changed.includes('metrics')) await reload();
      });
      ctx.live.onGap(reload);
      await reload();
    },
    reload,
    onChange: (handler) => handlers.add(handler),
    current() {
      if (!view) throw new Error('The metrics have not been started');
      return view;
    },
    simulatedThrough: () => simulatedThrough(ctx),
  };
  return metrics;
}
