import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { predictionSetOf } from '#features/analysis/server/service.ts';
import { analysisSources } from '#features/analysis/server/sources.ts';
import { type Auth, createAuth } from '#features/auth/server/service.ts';
import { composeDashboard } from '#features/dashboard/server/service.ts';
import { eventsTopic } from '#features/events/contract.ts';
import { EVENT_SOURCES } from '#features/events/server/sources.ts';
import { readHealth } from '#features/health/server/service.ts';
import { inflationTopic } from '#features/inflation/contract.ts';
import { publishInflation } from '#features/inflation/server/publish.ts';
import { INFLATION_SOURCES } from '#features/inflation/server/sources.ts';
import { composeAbout } from '#features/legal/server/service.ts';
import { marketTopic } from '#features/market/contract.ts';
import { createTickIntake } from '#features/market/server/service.ts';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/sources.ts';
import type { PastMarket } from '#features/metrics/server/service.ts';
import { METRIC_SOURCES } from '#features/metrics/server/sources.ts';
import { recordTopic } from '#features/predictions/contract.ts';
import type { DataMode } from '#shared/provenance.ts';

import { buildApp } from './app.ts';
import { closeWeb } from './close-web.ts';
import { createFeatures, type Features, reloadFeatures, startFeatures } from './features.ts';
import { allJobs } from './jobs.ts';
import { lead } from './lead.ts';
import { createModels, type Models } from './models.ts';
import { createPages } from './pages/pages.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type Connection, openDatabase } from './platform/db.ts';
import { encodeIn } from './platform/encode.ts';
import { createErrorReports, type ReportError } from './platform/error-reports.ts';
import { messageOf } from './platform/errors.ts';
import { measuredUptime, startHeart } from './platform/heartbeat.ts';
import { claimInstallation } from './platform/installation.ts';
import { campaign } from './platform/leader.ts';
import { openListener } from './platform/listener.ts';
import { openLive } from './platform/live/live.ts';
import type { Log } from './platform/log.ts';
import { type Mail, openMail } from './platform/mail/mail.ts';
import { createNextRun } from './platform/next-run.ts';
import { openScheduler, type Scheduler } from './platform/scheduler.ts';
import type { Secrets } from './platform/secrets.ts';
import { openSideThread } from './platform/side-thread.ts';
import { createSourceSet } from './platform/source-set.ts';
import { createThrottle } from './platform/throttle.ts';

const COLLECTOR_LOCK = 7_246_010;
const REBUILD_MS = 5_000;
/** Also without news: ages and measured uptime move. */
const REDRAW_MS = 20_000;

export type ProductOptions = {
  config: Config;
  mode: DataMode;
  connection: Connection;
  databaseKind: 'bundled' | 'external';
  /** Where the bundled database writes. */
  databaseFolder?: string | null;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  version: string;
  /** False only in tests: the sandbox needs no pauses between calls. */
  polite?: boolean;
  /** Demo only: the same market at any earlier moment. */
  openPast?: () => Promise<PastMarket>;
};

export type Product = Features & {
  mail: Mail;
  auth: Auth;
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
  const { config, mode, connection, clock, log, secrets, version, polite = true } = options;
  const { now } = clock;
  const startedAt = now().toISOString();
  const onPoolError = (error: Error) => log.warn({ error: error.message }, 'a database connection was lost');
  const { db, pool, close: closeDatabase } = openDatabase(connection, onPoolError);
  const { report: store, settled } = createErrorReports(db, log, now);
  const heart = startHeart({ db, now, log, role: config.ROLE, folder: options.databaseFolder ?? null });
  const report: ReportError = (...failure) => {
    store(...failure);
    heart.poke();
  };
  await claimInstallation(db, { mode, seed: config.DEMO_SEED, key: secrets.fingerprint }, now());
  const listener = await openListener(connection, onPoolError);
  const failed = (what: string) => (error: unknown) => report('server', 'system', `${what} failed`, error);
  const thread = openSideThread({ onError: failed('The side thread') });
  const encode = encodeIn(thread);
  const live = await openLive({ db, listener, validate: !config.production, onError: failed('A live subscriber') });
  const descriptors = [
    ...MARKET_SOURCES,
    ...METRIC_SOURCES,
    ...INFLATION_SOURCES,
    ...EVENT_SOURCES,
    ...analysisSources(config),
  ];
  const sources = createSourceSet({ db, config, now, report, polite }, descriptors);
  const openPast = options.openPast ? { openPast: options.openPast } : {};
  const features = createFeatures({ db, connection, config, mode, now, log, report, live, sources, ...openPast });
  const { market, metrics, predictions, analysis, inflation, events } = features;
  const mail = openMail({ db, config, mode, now, log, report, secrets });
  let scheduler: Scheduler;
  scheduler = await openScheduler(
    { pool, listener, log, report },
    allJobs({ ...features, mail, db, now, config, scheduler: () => scheduler }),
  );

  let address: AddressInfo | null = null;
  const publicUrl = () =>
    config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${urlHost(config.HOST)}:${address?.port ?? config.PORT}`;
  const auth = createAuth({ db, config, mode, now, log, report, mail, secrets, listener, live, publicUrl });
  await auth.start();

  const nextCollection = createNextRun((from) => scheduler.nextRun(config.FULL_COLLECTION_CRON, from), now);
  const models = createModels(now, encode, failed);
  const pages = createPages({ config, version, mode, now, log, market, thread, encode, onError: failed('A page') });

  let uptime = await measuredUptime(db, now());
  async function rebuild(): Promise<void> {
    // In a turn of its own: what follows takes what it gave.
    events.list();
    await setImmediate();
    const value = composeDashboard({ ...features, mode, now, nextCollection });
    await setImmediate();
    uptime = await measuredUptime(db, now()).catch(() => uptime);
    const about = composeAbout({ config, dashboard: value, uptime });
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
      () => models.events.publish(events.list()),
      () => models.about.publish(about),
      () => pages.rebuild(value, about),
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
  const inflationThrottle = createThrottle(
    REBUILD_MS,
    () => publishInflation(inflation, models),
    failed('Rebuilding inflation'),
  );
  const throttles = [throttle, sparklineThrottle, inflationThrottle];
  market.onChange((change) => {
    throttle.poke();
    if (change === 'sparklines') sparklineThrottle.poke();
  });
  metrics.onChange(() => throttle.poke());
  events.onChange(() => throttle.poke());
  // Long, and changed by gradings alone.
  predictions.onChange(() => {
    models.backtest.publish(predictions.record()).catch(failed('Publishing the record'));
    throttle.poke();
  });
  analysis.onChange(() => {
    models.predictions.publish(predictionSetOf(analysis.current())).catch(failed('Publishing the predictions'));
    throttle.poke();
  });
  inflation.onChange(() => inflationThrottle.poke());
  await startFeatures(features);
  // The news goes out to the pages after the answers hold it.
  const prepare = async () => void (await Promise.all(throttles.map(({ settle }) => settle())));
  for (const topic of [marketTopic, recordTopic, inflationTopic, eventsTopic]) live.beforeNews(topic, prepare);
  live.onGap(prepare);
  const refresh = async () => {
    await reloadFeatures(features);
    await Promise.all(throttles.map(({ flush }) => flush()));
  };
  await Promise.all(throttles.map(({ flush }) => flush()));

  const health = () =>
    readHealth({
      db,
      market,
      now,
      identity: { version, dataMode: mode, role: config.ROLE, startedAt },
      databaseKind: options.databaseKind,
      writes: heart.state,
    });
  const app = buildApp({
    config,
    log,
    report,
    ...features,
    mail,
    db,
    sources,
    mode,
    now,
    models,
    live,
    pages,
    health,
    scheduler,
    auth,
  });
  const redraw = setInterval(() => {
    throttle.poke();
    inflationThrottle.poke();
  }, REDRAW_MS);
  let leadership: ReturnType<typeof campaign> | null = null;

  return {
    ...features,
    mail,
    auth,
    scheduler,
    app,
    models,
    rebuild: throttle.flush,
    refresh,
    async work() {
      if (config.ROLE === 'web') return;
      const intake = createTickIntake(market.ctx);
      leadership = campaign(connection, COLLECTOR_LOCK, {
        lead: () => lead(market, metrics, scheduler, intake),
        error: failed('The collector'),
      });
      await scheduler.work();
      await mail.listen(listener);
    },
    async listen() {
      await app.listen({ host: config.HOST, port: config.PORT });
      await heart.beat();
      address = app.server.address() as AddressInfo;
      return address;
    },
    async stop() {
      heart.stop();
      clearInterval(redraw);
      for (const { stop } of throttles) stop();
      live.hub.close();
      const steps: (() => Promise<unknown> | undefined)[] = [
        () => closeWeb(app),
        auth.settled,
        () => leadership?.stop(),
        () => scheduler.stop(),
        () => mail.close(),
        () => live.close(),
        () => listener.close(),
        thread.stop,
        settled,
        closeDatabase,
      ];
      // One that fails, as with a lost database, must not keep the others from ending.
      for (const step of steps)
        await step()?.catch((error: unknown) => log.error({ error: messageOf(error) }, 'shutdown'));
    },
  };
}

/** An IPv6 address stands in brackets. */
const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);
