import { marketTopic } from '#features/market/contract/market.ts';
import type {
  AdvancedMetrics,
  DerivativeRow,
  OnchainRow,
  SentimentReading,
} from '#features/market/contract/metrics.ts';
import type { Db } from '#kernel/db.ts';
import { hasOrigin } from '#shared/figures.ts';
import type { MetricsContext } from './context.ts';
import { FUTURES_ASSETS } from './futures.ts';
import { classifyFear, composeAdvanced } from './service/advanced.ts';
import {
  type DailyPoint,
  dailySeries,
  type History,
  type MetricSeries,
  metricSeries,
  readHistory,
} from './service/history.ts';
import { readSnapshot } from './service/read-snapshot.ts';
import { simulatedThrough } from './service/simulated-past.ts';
import type { Snapshot } from './snapshot.ts';

type Rows = { sentiment: SentimentReading; derivatives: DerivativeRow[]; onchain: OnchainRow[] };

/** The same figures as rows, one per venue or chain, for the analyst endpoints. */
function composeRows(snapshot: Snapshot, advanced: AdvancedMetrics, history: History): Rows {
  return {
    sentiment: toSentiment(advanced, history),
    derivatives: FUTURES_ASSETS.flatMap((asset) => toDerivativeRows(snapshot, asset)),
    onchain: toOnchainRows(advanced),
  };
}

function toSentiment({ marketSentiment }: AdvancedMetrics, { fearGreed }: History): SentimentReading {
  const meta = marketSentiment.meta['score'] ?? { metric: 'fear_greed', reason: 'No source has provided this yet' };
  return {
    value: marketSentiment.score,
    classification: marketSentiment.interpretation,
    source: hasOrigin(meta) ? meta.source : null,
    timestamp: hasOrigin(meta) ? meta.observedAt : null,
    metadata: {
      history: fearGreed
        .toReversed()
        .map(({ day, value }) => ({ date: day, value, classification: classifyFear(value) })),
    },
    meta: { value: meta },
  };
}

function toDerivativeRows(snapshot: Snapshot, asset: string): DerivativeRow[] {
  const find = (kind: string, source: string) =>
    snapshot.all(`venue.${kind}.${asset}`).find((row) => row.source === source);
  const sources = new Set(
    ['oi', 'funding'].flatMap((kind) => snapshot.all(`venue.${kind}.${asset}`)).map((row) => row.source),
  );
  return [...sources].map((source) => {
    const parts = {
      open_interest: find('oi', source),
      funding_rate: find('funding', source),
      volume_24h: find('volume', source),
    };
    const key = { open_interest: 'oi', funding_rate: 'funding', volume_24h: 'volume' } as const;
    const names = Object.keys(parts) as (keyof typeof parts)[];
    return {
      asset: asset.toUpperCase(),
      derivative_type: 'perpetual',
      source: snapshot.nameOf(source),
      open_interest: parts.open_interest?.value ?? null,
      funding_rate: parts.funding_rate?.value ?? null,
      volume_24h: parts.volume_24h?.value ?? null,
      meta: Object.fromEntries(
        names.map((name) => {
          const row = parts[name];
          const metric = `${key[name]}.${asset}`;
          return [name, row ? snapshot.provenance(row, metric) : { metric, reason: 'Not provided by this venue' }];
        }),
      ),
    };
  });
}

function toOnchainRows({ onchain }: AdvancedMetrics): OnchainRow[] {
  const row = (
    metric_type: string,
    value: number | null,
    meta: OnchainRow['meta']['value'] | undefined,
    metadata: OnchainRow['metadata'],
  ): OnchainRow[] =>
    meta
      ? [
          {
            blockchain: 'bitcoin',
            metric_type,
            value,
            source: hasOrigin(meta) ? meta.source : null,
            timestamp: hasOrigin(meta) ? meta.observedAt : null,
            metadata,
            meta: { value: meta },
          },
        ]
      : [];
  const { whaleTransactions: whales, hashRate, activeAddresses: addresses } = onchain;
  return [
    ...row('whale_transactions', whales.value, whales.meta['value'], {
      large_transfers: whales.metadata.large_transfers,
      exchange_deposits: whales.metadata.exchange_deposits,
    }),
    ...row('hash_rate', hashRate.value, hashRate.meta['value'], {
      difficulty: hashRate.metadata.difficulty,
      network_health: hashRate.metadata.network_health,
    }),
    ...row('active_addresses', addresses.value, addresses.meta['value'], {
      new_addresses: addresses.metadata.new_addresses,
      returning_addresses: addresses.metadata.returning_addresses,
    }),
  ];
}

export type { MetricsContext } from './context.ts';
export { absentReason, findRule, OWN } from './metrics.ts';
export {
  changeMetric,
  NARRATIVE,
  type NarrativeDetail,
  type NarrativeFacts,
  narrativeDetail,
  narrativeFacts,
  narrativeMetric,
  parseCategory,
} from './narrative-facts.ts';
export { readCorrelations } from './service/correlation.ts';
export { seasonCoins } from './service/derive.ts';
export { type DailyPoint, type MetricSeries, metricHistory } from './service/history.ts';
export { startLiquidations } from './service/liquidations.ts';
export type { Snapshot } from './snapshot.ts';
export { type Figure, group } from './snapshot.ts';
export type { PastMarket, StoredObservation } from './types.ts';

/** All metrics at one moment. */
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
  /** The current metrics; throws before `start`. */
  current: () => MetricsView;
  /** The metrics known then, from stored observations. */
  at: (moment: Date) => Promise<MetricsView>;
  /** The figures of that moment, without anything derived from their history. */
  snapshotAt: (moment: Date) => Promise<Snapshot>;
  /** Every value of one metric, oldest first, from the source with the longest history; undefined without values. */
  series: (metric: string, from: Date, to: Date) => Promise<MetricSeries | undefined>;
  /** One value per UTC day for each metric, oldest first. */
  daily: (metrics: readonly string[], from: Date, to: Date) => Promise<Map<string, DailyPoint[]>>;
  /** Demo only: how far back the simulated past is stored so far. */
  simulatedThrough: () => Promise<Date | null>;
  /** The same metrics with history read from another database. */
  over: (db: Db) => Metrics;
};

/** The metrics of this process, synchronised with the database by the live topic. */
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
    snapshotAt: (moment: Date) => readSnapshot(on, moment),
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
