import type { AddressInfo } from 'node:net';

import { analysisSources } from '#features/analysis/server/sources.ts';
import { type ApiKeys, createApiKeys } from '#features/api-keys/server/service.ts';
import { type Auth, createAuth } from '#features/auth/server/service.ts';
import { EVENT_SOURCES } from '#features/events/server/sources.ts';
import { createExports, type Exports } from '#features/exports/server/service.ts';
import { readHealth } from '#features/health/server/service.ts';
import { INFLATION_SOURCES } from '#features/inflation/server/sources.ts';
import { createTickIntake } from '#features/market/server/service.ts';
import { SOURCES as MARKET_SOURCES } from '#features/market/server/sources.ts';
import { METRIC_SOURCES } from '#features/metrics/server/sources.ts';
import { createNotifications, type Notifications, settleWith } from '#features/notifications/server/service.ts';
import { createPush, type Push } from '#features/push/server/service.ts';
import { openSettings } from '#features/settings/server/service.ts';
import { createTelegram, type Telegram } from '#features/telegram/server/service.ts';

import { openAnswers } from './answers.ts';
import { buildApp } from './app.ts';
import { openChannels } from './channels.ts';
import { closeWeb } from './close-web.ts';
import { createFeatures, type Features, startFeatures } from './features.ts';
import { allJobs } from './jobs.ts';
import { lead } from './lead.ts';
import { createModels, type Models } from './models.ts';
import { createPages } from './pages/pages.ts';
import { createPayments, type Payments } from './payments.ts';
import { openDatabase } from './platform/db.ts';
import { encodeIn } from './platform/encode.ts';
import { createErrorReports, type ReportError } from './platform/error-reports.ts';
import { messageOf } from './platform/errors.ts';
import { startHeart } from './platform/heartbeat.ts';
import { claimInstallation } from './platform/installation.ts';
import { campaign } from './platform/leader.ts';
import { openListener } from './platform/listener.ts';
import { openLive } from './platform/live/live.ts';
import { type Mail, openMail } from './platform/mail/mail.ts';
import { createNextRun } from './platform/next-run.ts';
import { openScheduler, type Scheduler } from './platform/scheduler.ts';
import { openSideThread } from './platform/side-thread.ts';
import { createSourceSet } from './platform/source-set.ts';
import type { ProductOptions } from './product-options.ts';
import { publicUrlOf } from './public-url.ts';

const COLLECTOR_LOCK = 7_246_010;

export type Product = Features &
  Payments & {
    notifications: Notifications;
    mail: Mail;
    auth: Auth;
    apiKeys: ApiKeys;
    telegram: Telegram;
    push: Push;
    exports: Exports;
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
  const { config: given, mode, connection, clock, log, secrets, version, polite = true, drawAhead = true } = options;
  const { now } = clock;
  const startedAt = now().toISOString();
  const onPoolError = (error: Error) => log.warn({ error: error.message }, 'a database connection was lost');
  const { db, pool, close: closeDatabase } = openDatabase(connection, onPoolError);
  const { report: store, settled } = createErrorReports(db, log, now);
  const heart = startHeart({ db, now, log, role: given.ROLE, folder: options.databaseFolder ?? null });
  const report: ReportError = (...failure) => {
    store(...failure);
    heart.poke();
  };
  await claimInstallation(db, { mode, seed: given.DEMO_SEED, key: secrets.fingerprint }, now());
  const listener = await openListener(connection, onPoolError);
  const settings = await openSettings({ db, given, listener, log, report });
  const { config } = settings;
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
  const features = createFeatures({
    db,
    connection,
    config,
    mode,
    now,
    log,
    report,
    live,
    listener,
    sources,
    ...(options.openPast ? { openPast: options.openPast } : {}),
  });
  const { market, metrics } = features;
  const mail = openMail({ db, config, mode, now, log, report, secrets });
  let address: AddressInfo | null = null;
  const publicUrl = publicUrlOf(config, () => address?.port);
  const telegram = createTelegram({ db, connection, config, mode, now, report, secrets, live, publicUrl });
  const settle = settleWith(now);
  const push = createPush({ db, config, mode, now, report, secrets, thread });
  await push.start();
  const ways = { mail, push, telegram };
  const own = openChannels({ db, config, mode, now, log, report, secrets, live, ...ways, settle, publicUrl });
  const others = options.channels ?? [];
  const channels = [...own.filter(({ name }) => others.every((each) => each.name !== name)), ...others];
  const notifications = createNotifications({ db, now, log, report, live, channels });
  const auth = createAuth({ db, config, mode, now, log, report, mail, secrets, listener, live, publicUrl });
  const apiKeys = createApiKeys({ ...auth.ctx, listener });
  const payments = createPayments(auth, live, connection, options.rails);
  const exports = createExports({ ...auth.ctx, live, connection });
  let scheduler: Scheduler;
  scheduler = await openScheduler(
    { pool, listener, log, report },
    allJobs({
      ...features,
      notifications,
      ...payments,
      exports,
      email: { db, config, mode, now, report, mail, secrets, publicUrl },
      mail,
      db,
      now,
      config,
      scheduler: () => scheduler,
    }),
  );
  await auth.start();
  await apiKeys.start();

  const nextCollection = createNextRun((from) => scheduler.nextRun(config.FULL_COLLECTION_CRON, from), now);
  const models = createModels(now, encode, failed);
  const pages = createPages({
    config,
    version,
    mode,
    now,
    log,
    market,
    thread,
    encode,
    ahead: drawAhead,
    onError: failed('A page'),
  });

  const answers = await openAnswers({
    features,
    models,
    pages,
    live,
    db,
    config,
    mode,
    now,
    nextCollection,
    latency: notifications.latency,
    failed,
  });
  await startFeatures(features);
  await answers.follow();
  const health = () =>
    readHealth({
      db,
      market,
      now,
      identity: { version, dataMode: mode, role: config.ROLE, startedAt },
      databaseKind: options.databaseKind,
      writes: heart.state,
      exports,
    });
  const app = buildApp({
    config,
    settings,
    log,
    report,
    ...features,
    notifications,
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
    apiKeys,
    telegram,
    push,
    exports,
    ...payments,
  });
  let leadership: ReturnType<typeof campaign> | null = null;
  let owner: Awaited<ReturnType<typeof features.thresholds.own>> | null = null;

  return {
    ...features,
    notifications,
    mail,
    auth,
    apiKeys,
    telegram,
    push,
    exports,
    ...payments,
    scheduler,
    app,
    models,
    rebuild: answers.rebuild,
    refresh: answers.refresh,
    async work() {
      if (config.ROLE === 'web') return;
      const intake = createTickIntake(market.ctx);
      leadership = campaign(connection, COLLECTOR_LOCK, {
        lead: () => lead(market, metrics, features.alerts, scheduler, intake),
        error: failed('The collector'),
      });
      owner = await features.thresholds.own();
      await scheduler.work();
      await mail.listen(listener);
      await notifications.listen(listener);
      telegram.work();
      payments.usdc.work();
    },
    async listen() {
      await app.listen({ host: config.HOST, port: config.PORT });
      await heart.beat();
      address = app.server.address() as AddressInfo;
      return address;
    },
    async stop() {
      heart.stop();
      answers.stop();
      live.hub.close();
      const steps: (() => Promise<unknown> | undefined)[] = [
        () => closeWeb(app),
        apiKeys.stop,
        auth.settled,
        () => leadership?.stop(),
        () => owner?.stop(),
        () => scheduler.stop(),
        () => notifications.close(),
        telegram.stop,
        payments.usdc.stop,
        exports.stop,
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
