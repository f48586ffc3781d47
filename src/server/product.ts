import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { dashboard as dashboardSchema } from '#features/dashboard/contract.ts';
import { composeDashboard } from '#features/dashboard/server/service.ts';
import { readHealth } from '#features/health/server/service.ts';
import { layer1Data } from '#features/layer1/contract.ts';
import { priceList, sparklines } from '#features/market/contract.ts';
import { type Collector, createMarket, type Market, startCollector } from '#features/market/server/service.ts';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/sources.ts';
import { advancedMetrics, derivativesReply, onchainReply, sentimentReading } from '#features/metrics/contract.ts';
import { createMetrics, type Metrics } from '#features/metrics/server/service.ts';
import { METRIC_SOURCES } from '#features/metrics/server/sources.ts';
import { trendingNarratives } from '#features/narratives/contract.ts';
import type { DataMode } from '#shared/provenance.ts';

import { buildApp } from './app.ts';
import { allJobs } from './jobs.ts';
import type { Models } from './models.ts';
import { createPages } from './pages/pages.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type Connection, openDatabase } from './platform/db.ts';
import { createErrorReports } from './platform/error-reports.ts';
import { beat, measuredUptime } from './platform/heartbeat.ts';
import { claimInstallation } from './platform/installation.ts';
import { campaign } from './platform/leader.ts';
import { openListener } from './platform/listener.ts';
import { openLive } from './platform/live/live.ts';
import type { Log } from './platform/log.ts';
import { createReadModel } from './platform/read-model.ts';
import { openScheduler, type Scheduler } from './platform/scheduler.ts';
import { createSourceSet } from './platform/source-set.ts';
import { createThrottle } from './platform/throttle.ts';

const COLLECTOR_LOCK = 7_246_010;
const REBUILD_MS = 5_000;
const BEAT_MS = 20_000;

export type ProductOptions = {
  config: Config;
  mode: DataMode;
  connection: Connection;
  databaseKind: 'bundled' | 'external';
  clock: Clock;
  log: Log;
  version: string;
};

export type Product = {
  market: Market;
  metrics: Metrics;
  scheduler: Scheduler;
  app: ReturnType<typeof buildApp>;
  models: Models;
  /** Starts collecting and working on jobs, where the role says so. */
  work: () => Promise<void>;
  listen: () => Promise<AddressInfo>;
  /** Rebuilds every prepared buffer now from what this process knows. */
  rebuild: () => Promise<void>;
  /** Reads the database again and rebuilds every prepared buffer now. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Puts one process together: database, live topics, features, routes and jobs. The schema must be up to date. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { config, mode, connection, clock, log, version } = options;
  const { now } = clock;
  const startedAt = now().toISOString();
  const onPoolError = (error: Error) => log.warn({ error: error.message }, 'a database connection was lost');
  const { db, pool, close: closeDatabase } = openDatabase(connection, onPoolError);
  const { report, settled } = createErrorReports(db, log, now);
  await claimInstallation(db, mode, config.DEMO_SEED, now());
  const listener = await openListener(connection, onPoolError);
  const failed = (what: string) => (error: unknown) => report('server', 'system', `${what} failed`, error);
  const live = await openLive({ db, listener, validate: !config.production, onError: failed('A live subscriber') });
  const sources = createSourceSet({ db, config, now, report }, [...MARKET_SOURCES, ...METRIC_SOURCES]);
  const market = createMarket({ db, config, mode, now, log, report, live, sources });
  const metrics = createMetrics({ db, config, mode, now, log, report, live, sources, market });
  let scheduler: Scheduler;
  scheduler = await openScheduler(
    { pool, listener, log, report },
    allJobs({ market, metrics, db, now, config, scheduler: () => scheduler }),
  );

  const nextCollection = () => scheduler.nextRun(config.FULL_COLLECTION_CRON, now());
  const model = <T>(name: string, validate: (value: T) => unknown) =>
    createReadModel<T>({ name, validate, onInvalid: failed(`The read model ${name}`) });
  const models: Models = {
    dashboard: model('dashboard', (value) => dashboardSchema.parse(value)),
    prices: model('prices', (value) => priceList.parse(value)),
    sparklines: model('sparklines', (value) => sparklines.parse(value)),
    advancedMetrics: model('advanced metrics', (value) => advancedMetrics.parse(value)),
    marketSentiment: model('market sentiment', (value) => sentimentReading.parse(value)),
    derivatives: model('derivatives', (value) => derivativesReply.parse(value)),
    onchain: model('on-chain', (value) => onchainReply.parse(value)),
    layer1: model('layer 1', (value) => layer1Data.parse(value)),
    narratives: model('narratives', (value) => trendingNarratives.parse(value)),
  };
  const pages = await createPages({ config, version, mode, now, log, market, onError: failed('A page') });

  async function rebuild(): Promise<void> {
    const value = composeDashboard({ market, metrics, mode, now, nextCollection });
    const { timestamp, cryptoPrices: prices, totals, layer1Data: layer1 } = value;
    const { advanced, sentiment, derivatives, onchain } = metrics.current();
    const publications = [
      () => models.dashboard.publish(value),
      () => models.prices.publish({ timestamp, prices, totals }),
      () => models.advancedMetrics.publish(advanced),
      () => models.marketSentiment.publish(sentiment),
      () => models.derivatives.publish({ timestamp: advanced.timestamp, derivatives, totals: advanced.derivatives }),
      () => models.onchain.publish({ timestamp: advanced.timestamp, onchain, totals: advanced.onchain }),
      ...(layer1 ? [() => models.layer1.publish(layer1)] : []),
      () => models.narratives.publish({ timestamp: advanced.timestamp, narratives: value.trendingNarratives ?? [] }),
      async () => pages.rebuild(value, await measuredUptime(db, now())),
    ];
    // One after the other, with room for requests in between: together they would hold the event loop too long.
    for (const publish of publications) {
      await setImmediate();
      await publish();
    }
  }
  const rebuildSparklines = () => models.sparklines.publish(market.sparklines());
  const throttle = createThrottle(REBUILD_MS, rebuild, failed('Rebuilding the dashboard'));
  const sparklineThrottle = createThrottle(REBUILD_MS, rebuildSparklines, failed('Rebuilding sparklines'));
  market.onChange((change) => {
    throttle.poke();
    if (change === 'sparklines') sparklineThrottle.poke();
  });
  metrics.onChange(() => throttle.poke());
  await market.start();
  await metrics.start();
  const refresh = async () => {
    await market.reload();
    await metrics.reload();
    await Promise.all([throttle.flush(), sparklineThrottle.flush()]);
  };
  await Promise.all([throttle.flush(), sparklineThrottle.flush()]);

  const health = () =>
    readHealth({
      db,
      market,
      now,
      identity: { version, dataMode: mode, role: config.ROLE, startedAt },
      databaseKind: options.databaseKind,
    });
  const app = buildApp({
    config,
    log,
    report,
    market,
    metrics,
    sources,
    mode,
    now,
    models,
    live,
    pages,
    health,
    scheduler,
  });
  const processId = randomUUID();
  const heart = setInterval(() => {
    beat(db, now(), processId, config.ROLE).catch(failed('The heartbeat'));
    throttle.poke();
  }, BEAT_MS);
  let leadership: ReturnType<typeof campaign> | null = null;

  return {
    market,
    metrics,
    scheduler,
    app,
    models,
    rebuild: throttle.flush,
    refresh,
    async work() {
      if (config.ROLE === 'web') return;
      leadership = campaign(connection, COLLECTOR_LOCK, {
        lead: () => lead(market, scheduler),
        error: failed('The collector'),
      });
      await scheduler.work();
    },
    async listen() {
      await app.listen({ host: config.HOST, port: config.PORT });
      await beat(db, now(), processId, config.ROLE);
      return app.server.address() as AddressInfo;
    },
    async stop() {
      clearInterval(heart);
      throttle.stop();
      sparklineThrottle.stop();
      live.hub.close();
      await app.close();
      await leadership?.stop();
      await scheduler.stop();
      await live.close();
      await listener.close();
      await settled();
      await closeDatabase();
    },
  };
}

/** The first thing a new leader does is look at the market. */
async function lead(market: Market, scheduler: Scheduler): Promise<() => Promise<void>> {
  const collector: Collector = startCollector(market.ctx);
  await scheduler.send('market.listing', {}, { key: 'start', priority: 1000 });
  for (const [i, name] of ['metrics.slow', 'metrics.listing', 'metrics.backfill'].entries())
    await scheduler.send(name, {}, { key: 'start', priority: 900 - i, afterSeconds: 2 });
  return () => collector.stop();
}
