import { setImmediate } from 'node:timers/promises';
import { recordTopic } from '#features/analysis/contract/predictions.ts';
import { toPredictionSet } from '#features/analysis/server/analysis/service.ts';
import { pricesCsv } from '#features/api/server/api/service.ts';
import { eventsTopic } from '#features/events/contract.ts';
import { inflationTopic } from '#features/inflation/contract.ts';
import { publishInflation } from '#features/inflation/server/view.ts';
import { marketTopic } from '#features/market/contract/market.ts';
import { composeLayer1 } from '#features/market/server/layer1/service.ts';
import type { Latency } from '#features/notifications/contract/notifications.ts';
import { statusTopic } from '#features/site/contract/status.ts';
import { buildBrief, composeDashboard } from '#features/site/server/dashboard/service.ts';
import { createLanding } from '#features/site/server/landing/service.ts';
import { composeAbout } from '#features/site/server/legal/service.ts';
import { atomFeed } from '#features/site/server/status/feed.ts';
import { createStatusReader } from '#features/site/server/status/service.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import { measuredUptime } from '#kernel/heartbeat.ts';
import type { Live } from '#kernel/live/live.ts';
import { createThrottle } from '#kernel/throttle.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { Models, Services } from './compose.ts';
import type { Pages } from './pages/pages.ts';

const REBUILD_INTERVAL_MS = 5_000;
/** Rebuilt without updates too, because ages and measured uptime change. */
const REDRAW_INTERVAL_MS = 20_000;
/** Maximum age of the status page. */
const STATUS_INTERVAL_MS = 30_000;
/** Reading it scans the deliveries of 30 days. */
const LATENCY_INTERVAL_MS = 600_000;

type Deps = {
  services: Services;
  models: Models;
  pages: Pages;
  live: Live;
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  nextCollection: () => Date | null;
  latency: () => Promise<Latency>;
  failed: (what: string) => (error: unknown) => void;
};

export type PreparedResponses = {
  /**
   * Prepares everything once the features have started; from then on responses are updated before the event is sent to
   * clients.
   */
  follow: () => Promise<void>;
  /** Rebuilds the dashboard and its related responses now. */
  rebuild: () => Promise<void>;
  /** Reads the database again and rebuilds every prepared buffer now. */
  refresh: () => Promise<void>;
  stop: () => void;
};

/** The prepared responses and pages of a process, rebuilt when their data changes. */
export async function openPreparedResponses(deps: Deps): Promise<PreparedResponses> {
  const { services, models, pages, live, db, config, mode, now, nextCollection, failed } = deps;
  const { market, metrics, predictions, analysis, inflation, events } = services;
  let uptime = await measuredUptime(db, now());
  let latency: Latency | null = null;
  const landing = createLanding({ ...services, db, now, pricesCsv });
  async function rebuild(): Promise<void> {
    // In a separate step: the code below uses its cached result.
    events.list();
    await setImmediate();
    const value = composeDashboard({ ...services, mode, now, nextCollection });
    await setImmediate();
    uptime = await measuredUptime(db, now()).catch(() => uptime);
    if (latency === null || now().getTime() - Date.parse(latency.to) >= LATENCY_INTERVAL_MS)
      latency = await deps.latency().catch(() => latency);
    const about = composeAbout({ config, dashboard: value, uptime });
    const facts = await landing(value);
    const { timestamp, cryptoPrices: prices, totals } = value;
    const { advanced, sentiment, derivatives, onchain, snapshot } = metrics.current();
    // Without prices the dashboard leaves it out; its own endpoint responds with nulls and their reasons.
    const layer1 = value.layer1Data ?? composeLayer1({ prices, snapshot, mode });
    const publications = [
      () => models.dashboard.publish(value),
      () => models.brief.publish(() => buildBrief(services, value)),
      () => models.prices.publish({ timestamp, prices, totals }),
      () => models.advancedMetrics.publish(advanced),
      () => models.marketSentiment.publish(sentiment),
      () => models.derivatives.publish({ timestamp: advanced.timestamp, derivatives, totals: advanced.derivatives }),
      () => models.onchain.publish({ timestamp: advanced.timestamp, onchain, totals: advanced.onchain }),
      () => models.layer1.publish(layer1),
      () => models.narratives.publish({ timestamp: advanced.timestamp, narratives: value.trendingNarratives ?? [] }),
      () => models.events.publish(events.list()),
      () => models.about.publish(about),
      () => pages.rebuild(value, about, latency, facts),
      ...models.api.publish(value),
    ];
    // One by one, with time for requests in between: together they would block the event loop too long.
    for (const publish of publications) {
      await setImmediate();
      await publish();
    }
  }
  const rebuildSparklines = () => models.sparklines.publish(market.sparklines());
  const throttle = createThrottle(REBUILD_INTERVAL_MS, rebuild, failed('Failed to rebuild the dashboard'));
  const sparklineThrottle = createThrottle(
    REBUILD_INTERVAL_MS,
    rebuildSparklines,
    failed('Failed to rebuild sparklines'),
  );
  const inflationThrottle = createThrottle(
    REBUILD_INTERVAL_MS,
    async () => {
      await publishInflation(inflation, models);
      await models.api.renew();
    },
    failed('Failed to rebuild inflation'),
  );
  const readStatus = createStatusReader(db, now);
  async function rebuildStatus(): Promise<void> {
    const status = await readStatus(latency);
    await models.status.publish(status);
    await models.statusFeed.publish(atomFeed(status, pages.origin, now()));
    await pages.drawStatus(status);
  }
  const statusThrottle = createThrottle(STATUS_INTERVAL_MS, rebuildStatus, failed('Failed to rebuild the status page'));
  live.on(statusTopic, () => void statusThrottle.flush());
  const throttles = [throttle, sparklineThrottle, inflationThrottle, statusThrottle];
  market.onChange((change) => {
    throttle.trigger();
    if (change === 'sparklines') sparklineThrottle.trigger();
  });
  metrics.onChange(() => throttle.trigger());
  events.onChange(() => throttle.trigger());
  // Long, and changed only by gradings.
  predictions.onChange(() => {
    models.backtest.publish(predictions.record()).catch(failed('Failed to publish the record'));
    throttle.trigger();
  });
  const publishPredictions = () =>
    void models.predictions
      .publish(toPredictionSet(analysis.current(), analysis.preparing()))
      .catch(failed('Failed to publish the predictions'));
  analysis.onPreparing(publishPredictions);
  analysis.onChange(() => {
    publishPredictions();
    throttle.trigger();
  });
  inflation.onChange(() => inflationThrottle.trigger());
  const prepare = async () => void (await Promise.all(throttles.map(({ settle }) => settle())));
  const flushAll = async () => void (await Promise.all(throttles.map(({ flush }) => flush())));
  let redraw: ReturnType<typeof setInterval> | undefined;

  return {
    async follow() {
      // Clients are notified after the responses are up to date.
      for (const topic of [marketTopic, recordTopic, inflationTopic, eventsTopic]) live.beforeBroadcast(topic, prepare);
      live.onGap(prepare);
      await flushAll();
      redraw = setInterval(() => {
        throttle.trigger();
        inflationThrottle.trigger();
        statusThrottle.trigger();
      }, REDRAW_INTERVAL_MS);
    },
    rebuild: throttle.flush,
    async refresh() {
      for (const { reload } of [market, metrics, predictions, analysis, inflation, events]) await reload();
      await flushAll();
    },
    stop() {
      clearInterval(redraw);
      for (const { stop } of throttles) stop();
    },
  };
}
