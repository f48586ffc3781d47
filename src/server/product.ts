import type { AddressInfo } from 'node:net';

import type { Pool } from 'pg';

import { type ApiKeys, createApiKeys } from '#features/api-keys/server/service.ts';
import { type Auth, createAuth } from '#features/auth/server/service.ts';
import { createExports, type Exports } from '#features/exports/server/service.ts';
import { readHealth } from '#features/health/server/service.ts';
import { createTickIntake } from '#features/market/server/service.ts';
import { createNotifications, type Notifications, settleWith } from '#features/notifications/server/service.ts';
import { createPush, type Push } from '#features/push/server/service.ts';
import { openSettings } from '#features/settings/server/service.ts';
import { createTelegram, type Telegram } from '#features/telegram/server/service.ts';

import { openAnswers } from './answers.ts';
import { buildApp } from './app.ts';
import { openChannels } from './channels.ts';
import { closeWeb, hangUpWhileStopping } from './close-web.ts';
import { createFeatures, type Features, startFeatures } from './features.ts';
import { allJobs } from './jobs.ts';
import { joinInstallation } from './join-installation.ts';
import { lead } from './lead.ts';
import { createModels, type Models } from './models.ts';
import { createPages } from './pages/pages.ts';
import { createPayments, type Payments } from './payments.ts';
import { openDatabase } from './platform/db.ts';
import { encodeIn } from './platform/encode.ts';
import { createErrorReports, type ReportError } from './platform/error-reports.ts';
import { messageOf } from './platform/errors.ts';
import { startHeart } from './platform/heartbeat.ts';
import { campaign } from './platform/leader.ts';
import type { Lifecycle } from './platform/lifecycle.ts';
import { openLive } from './platform/live/live.ts';
import { type Mail, openMail } from './platform/mail/mail.ts';
import { createNextRun } from './platform/next-run.ts';
import { openReads } from './platform/reads/reads.ts';
import { openScheduler, type Scheduler } from './platform/scheduler.ts';
import { openSideThread } from './platform/side-thread.ts';
import { createSourceSet } from './platform/source-set.ts';
import { openTracing } from './platform/tracing.ts';
import type { ProductOptions } from './product-options.ts';
import { publicUrlOf } from './public-url.ts';
import { allSources } from './sources.ts';
import { openWatch } from './watch.ts';

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
    lifecycle: Lifecycle;
    pool: Pool;
    /** Starts collecting and working on jobs, where the role says so. */
    work: () => Promise<void>;
    listen: () => Promise<AddressInfo>;
    /** Figures and probes on a port of their own; null without METRICS_PORT. */
    listenAside: () => Promise<AddressInfo | null>;
    /** Rebuilds every prepared buffer now from what this process knows. */
    rebuild: () => Promise<void>;
    /** Reads the database again and rebuilds every prepared buffer now. */
    refresh: () => Promise<void>;
    stop: () => Promise<void>;
  };

/** Puts one process together: database, live topics, features, routes and jobs. The schema must be up to date. */
export async function createProduct(options: ProductOptions): Promise<Product> {
  const {
    config: given,
    mode,
    connection,
    direct = connection,
    clock,
    log,
    secrets,
    version,
    polite = true,
    drawAhead = true,
  } = options;
  const { now } = clock;
  const closeTracing = await openTracing(given, version);
  const startedAt = now().toISOString();
  const onPoolError = (error: Error) => log.warn({ error: error.message }, 'a database connection was lost');
  const { db, pool, close: closeDatabase } = openDatabase(connection, onPoolError);
  const { report: store, settled } = createErrorReports(db, log, now);
  const heart = startHeart({ db, now, log, role: given.ROLE, folder: options.databaseFolder ?? null });
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
  const thread = openSideThread({ onError: failed('The side thread') });
  const encode = encodeIn(thread);
  const live = await openLive({ db, listener, validate: !config.production, onError: failed('A live subscriber') });
  const sources = createSourceSet({ db, config, now, report, polite }, allSources(config));
  const house = { db, config, mode, now, log, report, live };
  const past = options.openPast ? { openPast: options.openPast } : {};
  const features = createFeatures({ ...house, direct, reads, listener, sources, ...past });
  const { market, metrics } = features;
  const mail = openMail({ db, config, mode, now, log, report, secrets });
  let address: AddressInfo | null = null;
  const publicUrl = publicUrlOf(config, () => address?.port);
  const telegram = createTelegram({ db, direct, config, mode, now, report, secrets, live, publicUrl });
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
  const payments = createPayments(auth, live, direct, options.rails);
  const exports = createExports({ ...auth.ctx, live, reads });
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
  const models = createModels(now, encode, failed, config.CDN_TAGS);
  const onError = failed('A page');
  const pages = createPages({ ...house, version, market, thread, encode, ahead: drawAhead, onError });

  const { latency } = notifications;
  const answers = await openAnswers({ ...house, features, models, pages, nextCollection, latency, failed });
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
      reads: reads.state,
      exports,
    });
  const watch = openWatch({ ...options, ...house, pool, sources, writes: heart.state });
  const parts = {
    ...features,
    ...payments,
    notifications,
    mail,
    auth,
    apiKeys,
    telegram,
    push,
    exports,
    reads,
    scheduler,
    models,
  };
  const app = buildApp({ ...parts, ...watch, ...house, settings, sources, pages, health });
  hangUpWhileStopping(app, watch.lifecycle.phase);
  let leadership: ReturnType<typeof campaign> | null = null;
  let owner: Awaited<ReturnType<typeof features.thresholds.own>> | null = null;

  return {
    ...parts,
    app,
    lifecycle: watch.lifecycle,
    pool,
    rebuild: answers.rebuild,
    refresh: answers.refresh,
    async work() {
      if (config.ROLE === 'web') return;
      const intake = createTickIntake(market.ctx);
      leadership = campaign(direct, COLLECTOR_LOCK, {
        duty: 'collector',
        lead: ({ fence }) => lead(market, metrics, features.alerts, scheduler, intake, fence),
        error: failed('The collector'),
      });
      owner = await features.thresholds.own();
      await scheduler.work();
      await mail.listen(listener);
      await notifications.listen(listener);
      telegram.work();
      payments.usdc.work();
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
        telegram.stop,
        payments.usdc.stop,
        exports.stop,
        () => mail.close(),
        () => live.close(),
        () => listener.close(),
        thread.stop,
        reads.close,
        settled,
        closeDatabase,
        closeTracing,
      ];
      // One that fails, as with a lost database, must not keep the others from ending.
      for (const step of steps)
        await step()?.catch((error: unknown) => log.error({ error: messageOf(error) }, 'shutdown'));
    },
  };
}
