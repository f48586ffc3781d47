import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import type { Alerts } from '#features/alerts/server/alerts/service.ts';
import {
  createTickIntake,
  type Market,
  startCollector,
  type TickIntake,
} from '#features/market/server/market/service.ts';
import { type Metrics, startLiquidations } from '#features/market/server/metrics/service.ts';
import { readHealth } from '#features/operations/server/health/service.ts';
import { openSettings } from '#features/operations/server/settings/service.ts';
import { readPricing } from '#features/payments/server/billing/service.ts';
import {
  briefSection as briefSectionOf,
  buildBrief,
  composeDashboard,
} from '#features/site/server/dashboard/service.ts';
import { openBackgroundThread } from '#kernel/background-thread.ts';
import type { Config } from '#kernel/config.ts';
import { type Connection, type Db, openDatabase } from '#kernel/db.ts';
import { createErrorReports, type ReportError } from '#kernel/error-reports.ts';
import { errorMessage } from '#kernel/errors.ts';
import { startHeartbeat } from '#kernel/heartbeat.ts';
import { claimInstallation, readInstallationKeys } from '#kernel/installation.ts';
import { type Fence, runForLeader } from '#kernel/leader.ts';
import type { Lifecycle } from '#kernel/lifecycle.ts';
import { type Listener, openListener } from '#kernel/listener.ts';
import { openLive } from '#kernel/live/live.ts';
import { type Mail, openMail } from '#kernel/mail/mail.ts';
import { createNextRun } from '#kernel/next-run.ts';
import { readModelFactory } from '#kernel/read-model.ts';
import { openReads } from '#kernel/reads/reads.ts';
import { openScheduler, type Scheduler } from '#kernel/scheduler.ts';
import { KEYS_CHANGED } from '#kernel/secrets-rotation/store.ts';
import { createSourceSet } from '#kernel/source-set.ts';
import { openTracing } from '#kernel/tracing.ts';
import { buildApp } from './app.ts';
import { sharedHeaders } from './cache-answers.ts';
import {
  createReadModels,
  createServices,
  FEATURES,
  type Models,
  type ProductOptions,
  type Services,
} from './compose.ts';
import { allJobs } from './jobs.ts';
import { createPages } from './pages/pages.ts';
import { openPreparedResponses } from './prepared-responses.ts';
import { closeConnectionsOnStop, closeWeb, openWatch } from './watch.ts';

const COLLECTOR_LOCK = 7_246_010;

export type Product = Services & {
  mail: Mail;
  scheduler: Scheduler;
  app: ReturnType<typeof buildApp>;
  models: Models;
  lifecycle: Lifecycle;
  pool: Pool;
  /** Starts collecting and working on jobs, where the role includes it. */
  work: () => Promise<void>;
  listen: () => Promise<AddressInfo>;
  /** Metrics and probes on a separate port; null without METRICS_PORT. */
  listenAside: () => Promise<AddressInfo | null>;
  /** Rebuilds every prepared buffer now from the state of this process. */
  rebuild: () => Promise<void>;
  /** Reads the database again and rebuilds every prepared buffer now. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The first task of a new leader is to collect the market. */
async function startLeading(
  market: Market,
  metrics: Metrics,
  alerts: Alerts,
  scheduler: Scheduler,
  intake: TickIntake,
  fence: Fence,
): Promise<() => Promise<void>> {
  const liquidations = await startLiquidations(metrics.ctx, { fence });
  const collector = startCollector(market.ctx, intake, fence);
  const watch = alerts.watch(fence);
  await scheduler.send('market.listing', {}, { key: 'start', priority: 1000 });
  for (const [i, name] of ['metrics.slow', 'metrics.listing', 'metrics.backfill'].entries())
    await scheduler.send(name, {}, { key: 'start', priority: 900 - i, afterSeconds: 2 });
  await scheduler.send('events.collect', {}, { key: 'start', priority: 800, afterSeconds: 3 });
  await scheduler.send('inflation.check', {}, { key: 'start', priority: 790, afterSeconds: 4 });
  // It needs figures first.
  await scheduler.send('inflation.forecast', {}, { key: 'start', afterSeconds: 45 });
  // Uses what the streams and the first candles have delivered by then.
  await scheduler.send('metrics.listing', {}, { key: 'settled', afterSeconds: 60 });
  // It converts to dollars, so it needs a price first.
  await scheduler.send('metrics.blocks', {}, { key: 'start', afterSeconds: 30 });
  return async () => {
    // All settle independently: a failed final write of one must not prevent the others from stopping.
    const ends = await Promise.allSettled([collector.stop(), liquidations.stop(), watch.stop()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
}

type JoinDeps = Pick<ProductOptions, 'mode' | 'secrets' | 'clock'> & {
  db: Db;
  connection: Connection;
  seed: number;
  report: ReportError;
  onError: (error: Error) => void;
};

/** Joins the processes of a database: the same data mode and the key that they all seal with. */
async function joinInstallation(deps: JoinDeps): Promise<Listener> {
  const { db, connection, mode, seed, secrets, clock, report, onError } = deps;
  await claimInstallation(db, { mode, seed, secrets }, clock.now());
  const listener = await openListener(connection, onError);

  async function follow(): Promise<void> {
    if (secrets.useKeysOf(await readInstallationKeys(db))) return;
    report(
      'server',
      'system',
      'The secret key was changed and this process does not have the new one. Restart it with both keys',
    );
  }
  const again = () =>
    void follow().catch((error: unknown) => report('server', 'system', 'Failed to load the new secret key', error));
  await listener.listen(KEYS_CHANGED, again, again);
  return listener;
}

/** IPv6 addresses are written in brackets. */
const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The public URL of this process: as configured, else where it listens. */
const createPublicUrl = (config: Config, port: () => number | undefined) => (): string =>
  config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${urlHost(config.HOST)}:${port() ?? config.PORT}`;

/** Assembles one process: database, live topics, features, routes and jobs. The schema must be up to date. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const { config: given, mode, connection, direct = connection, clock, log, secrets, version } = options;
  const { now } = clock;
  const closeTracing = await openTracing(given, version);
  const startedAt = now().toISOString();
  const onPoolError = (error: Error) => log.warn({ error: error.message }, 'database connection lost');
  const { db, pool, close: closeDatabase } = openDatabase(connection, onPoolError);
  const { report: store, settled } = createErrorReports(db, log, now);
  const heart = startHeartbeat({ db, now, log, role: given.ROLE, folder: options.databaseFolder ?? null });
  const report: ReportError = (...failure) => {
    store(...failure);
    heart.poke();
  };
  const joining = { db, connection: direct, mode, secrets, clock, report, onError: onPoolError };
  const listener = await joinInstallation({ ...joining, seed: given.DEMO_SEED });
  const settings = await openSettings({ db, given, listener, log, report });
  const { config } = settings;
  const maxLagSeconds = given.READ_MAX_LAG_SECONDS;
  const reads = await openReads({ db, pool, connection, read: options.read, maxLagSeconds, log, report });
  const failed = (what: string) => (error: unknown) => report('server', 'system', `${what} failed`, error);
  const thread = options.thread ?? openBackgroundThread({ onError: failed('The background thread') });
  const live = await openLive({ db, listener, validate: !config.production, onError: failed('A live subscriber') });
  // In a demo every source is simulated: its failures are part of the simulation, not errors of this installation.
  const reportSource: ReportError =
    mode === 'demo'
      ? (source, type, message) => log.debug({ source, type, error: message }, 'simulated failure')
      : report;
  const sources = createSourceSet(
    { db, config, now, report: reportSource },
    FEATURES.flatMap((each) => each.sources?.(config, mode) ?? []),
  );
  const house = { db, config, mode, now, log, report, live };
  const mail = openMail({ db, config, mode, now, log, report, secrets });
  let address: AddressInfo | null = null;
  const publicUrl = createPublicUrl(config, () => address?.port);
  const ground = { ...house, direct, reads, listener, mail, secrets, sources, thread, publicUrl };
  const { openPast, channels, rails } = options;
  const services = createServices({
    ...ground,
    ...(openPast && { openPast }),
    ...(channels && { channels }),
    ...(rails && { rails }),
  });
  const { market, metrics, predictions, analysis, inflation, events, auth, apiKeys, notifications } = services;
  let scheduler: Scheduler;
  const nextCollection = createNextRun((from) => scheduler.nextRun(config.FULL_COLLECTION_CRON, from), now);
  const briefSection = () =>
    briefSectionOf(buildBrief(services, composeDashboard({ ...services, mode, now, nextCollection })), publicUrl());
  scheduler = await openScheduler(
    { pool, listener, log, report },
    allJobs({ ...ground, ...services, briefSection, scheduler: () => scheduler }),
  );
  for (const { start } of [services.push, auth, apiKeys]) await start();

  const responseHeaders = (path: string) => sharedHeaders(path, config.CDN_TAGS);
  const models = createReadModels(readModelFactory({ errorHandler: failed, headersOf: responseHeaders }));
  const onError = failed('A page');
  // A preview does not fetch the history of a coin; the page it links to does.
  const figures = { now, market, metrics, inflation, reads, requestBackfill: async () => undefined };
  const pages = createPages({
    ...house,
    version,
    market,
    figures,
    thread,
    onError,
    pricing: () => readPricing(services.billing),
  });

  const { latency } = notifications;
  const answers = await openPreparedResponses({ ...house, services, models, pages, nextCollection, latency, failed });
  // The market starts last: its updates are rendered with the data of the others.
  for (const { start } of [metrics, predictions, analysis, inflation, events, services.alerts, market]) await start();
  await answers.follow();
  const health = () =>
    readHealth({
      db,
      market,
      now,
      identity: { version, dataMode: mode, role: config.ROLE, startedAt },
      databaseKind: options.databaseKind,
      writes: heart.state,
      reads: reads.state,
      exports: services.exports,
    });
  const watch = openWatch({ ...options, ...house, pool, sources, writes: heart.state });
  const app = buildApp({ ...ground, ...services, ...watch, scheduler, models, settings, pages, health });
  closeConnectionsOnStop(app, watch.lifecycle.phase);
  let leadership: ReturnType<typeof runForLeader> | null = null;
  let owner: Awaited<ReturnType<typeof services.thresholds.startOwner>> | null = null;

  return {
    ...services,
    mail,
    scheduler,
    models,
    app,
    lifecycle: watch.lifecycle,
    pool,
    rebuild: answers.rebuild,
    refresh: answers.refresh,
    async work() {
      if (config.ROLE === 'web') return;
      const intake = createTickIntake(market.ctx);
      leadership = runForLeader(direct, COLLECTOR_LOCK, {
        duty: 'collector',
        lead: ({ fence }) => startLeading(market, metrics, services.alerts, scheduler, intake, fence),
        error: failed('The collector'),
        log,
      });
      owner = await services.thresholds.startOwner();
      await scheduler.work();
      await mail.listen(listener);
      await notifications.listen(listener);
      services.telegram.work();
      services.usdc.work();
      watch.lifecycle.serving();
    },
    listenAside: watch.listenAside,
    async listen() {
      await app.listen({ host: config.HOST, port: config.PORT });
      await heart.beat();
      address = app.server.address() as AddressInfo;
      watch.lifecycle.serving();
      return address;
    },
    async stop() {
      watch.lifecycle.stopping();
      heart.stop();
      answers.stop();
      live.hub.close();
      const steps: (() => Promise<unknown> | undefined)[] = [
        () => closeWeb(app),
        watch.closeAside,
        apiKeys.stop,
        auth.settled,
        () => leadership?.stop(),
        () => owner?.stop(),
        () => scheduler.stop(),
        () => notifications.close(),
        services.telegram.stop,
        services.usdc.stop,
        services.exports.stop,
        () => mail.close(),
        () => live.close(),
        () => listener.close(),
        thread.stop,
        reads.close,
        settled,
        closeDatabase,
        closeTracing,
      ];
      // A failing step, as with a lost database, must not prevent the others from running.
      for (const step of steps)
        await step()?.catch((error: unknown) => log.error({ error: errorMessage(error) }, 'shutdown'));
    },
  };
}
