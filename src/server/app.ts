import { randomUUID } from 'node:crypto';

import Fastify, { type FastifyInstance } from 'fastify';
import { auditRoutes } from '#features/admin/server/routes/audit.ts';
import { mailRoutes } from '#features/admin/server/routes/mail.ts';
import { userRoutes } from '#features/admin/server/routes/users.ts';
import { alertsTopic } from '#features/alerts/contract.ts';
import { alertsRoutes } from '#features/alerts/server/routes.ts';
import { collectionTopic } from '#features/analysis/contract.ts';
import { analysisRoutes } from '#features/analysis/server/routes.ts';
import { analyticsRoutes } from '#features/analytics/server/routes.ts';
import { apiRoutes } from '#features/api/server/routes.ts';
import { apiCalls } from '#features/api/server/service.ts';
import { apiKeysRoutes } from '#features/api-keys/server/routes.ts';
import type { ApiKeys } from '#features/api-keys/server/service.ts';
import { accountTopic } from '#features/auth/contract.ts';
import { nameCallers } from '#features/auth/server/hook.ts';
import { authRoutes } from '#features/auth/server/routes.ts';
import { type Auth, redeemTicket } from '#features/auth/server/service.ts';
import { billingRoutes } from '#features/billing/server/routes.ts';
import { booksRoutes } from '#features/books/server/routes.ts';
import { cardsRoutes } from '#features/cards/server/routes.ts';
import { collectionsRoutes } from '#features/collections/server/routes.ts';
import { contactRoutes } from '#features/contact/server/routes.ts';
import { dashboardRoutes } from '#features/dashboard/server/routes.ts';
import { demoMailsRoutes } from '#features/email/server/demo.ts';
import { emailRoutes } from '#features/email/server/routes.ts';
import { errorLogsRoutes } from '#features/error-logs/server/routes.ts';
import { eventsTopic } from '#features/events/contract.ts';
import { eventsRoutes } from '#features/events/server/routes.ts';
import { exportsTopic } from '#features/exports/contract.ts';
import { exportsRoutes } from '#features/exports/server/routes.ts';
import type { Exports } from '#features/exports/server/service.ts';
import type { Health } from '#features/health/contract.ts';
import type { Readiness } from '#features/health/server/readiness.ts';
import { healthRoutes } from '#features/health/server/routes.ts';
import { historyRoutes } from '#features/history/server/routes.ts';
import { inflationTopic } from '#features/inflation/contract.ts';
import { inflationRoutes } from '#features/inflation/server/routes.ts';
import { jobsRoutes } from '#features/jobs/server/routes.ts';
import { layer1Routes } from '#features/layer1/server/routes.ts';
import { legalRoutes } from '#features/legal/server/routes.ts';
import { marketTopic, pricesTopic } from '#features/market/contract.ts';
import { marketRoutes } from '#features/market/server/routes.ts';
import { mcpRoutes } from '#features/mcp/server/routes.ts';
import { metricsRoutes } from '#features/metrics/server/routes.ts';
import { monitoringRoutes } from '#features/monitoring/server/routes.ts';
import type { Monitoring } from '#features/monitoring/server/service.ts';
import { narrativesRoutes } from '#features/narratives/server/routes.ts';
import { notificationsRoutes } from '#features/notifications/server/routes.ts';
import type { Notifications } from '#features/notifications/server/service.ts';
import { passkeysRoutes } from '#features/passkeys/server/routes.ts';
import { personalDataRoutes } from '#features/personal-data/server/routes.ts';
import { recordTopic } from '#features/predictions/contract.ts';
import { predictionsRoutes } from '#features/predictions/server/routes.ts';
import { profileRoutes } from '#features/profile/server/routes.ts';
import { pushRoutes } from '#features/push/server/routes.ts';
import type { Push } from '#features/push/server/service.ts';
import { settingsRoutes } from '#features/settings/server/routes.ts';
import type { Settings } from '#features/settings/server/service.ts';
import { settingsFilesRoutes } from '#features/settings-files/server/routes.ts';
import { sourcesRoutes } from '#features/sources/server/routes.ts';
import { statusRoutes } from '#features/status/server/routes.ts';
import { telegramAdminRoutes } from '#features/telegram/server/admin.ts';
import { demoTelegramRoutes } from '#features/telegram/server/demo.ts';
import { telegramRoutes } from '#features/telegram/server/routes.ts';
import type { Telegram } from '#features/telegram/server/service.ts';
import { thresholdsRoutes } from '#features/thresholds/server/routes.ts';
import { twoFactorRoutes } from '#features/two-factor/server/routes.ts';
import { usdcRoutes } from '#features/usdc/server/routes.ts';
import { webhooksRoutes } from '#features/webhooks/server/routes.ts';
import { widgetsRoutes } from '#features/widgets/server/routes.ts';
import type { DataMode } from '#shared/provenance.ts';

import { cacheAnswers, sharedHeaders } from './cache-answers.ts';
import type { Features } from './features.ts';
import type { Models } from './models.ts';
import { transportHeaders } from './pages/document.ts';
import type { Pages } from './pages/pages.ts';
import type { Payments } from './payments.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { earlyErrors, handleErrors } from './platform/error-handler.ts';
import type { ReportError } from './platform/error-reports.ts';
import type { Live } from './platform/live/live.ts';
import { streamRoute } from './platform/live/route.ts';
import type { Log } from './platform/log.ts';
import { demoMailRoute } from './platform/mail/demo-mail.ts';
import type { Mail } from './platform/mail/mail.ts';
import type { Reads } from './platform/reads/reads.ts';
import type { RequestWatch } from './platform/request-watch.ts';
import type { Scheduler } from './platform/scheduler.ts';
import { answerDirectly } from './platform/serve.ts';
import type { SourceSet } from './platform/source-set.ts';

type Deps = Features &
  Payments & {
    notifications: Notifications;
    config: Config;
    settings: Settings;
    log: Log;
    report: ReportError;
    mail: Mail;
    db: Db;
    sources: SourceSet;
    mode: DataMode;
    now: () => Date;
    models: Models;
    live: Live;
    pages: Pages;
    health: () => Promise<Health>;
    readiness: Readiness;
    monitoring: Monitoring;
    requests: RequestWatch | null;
    scheduler: Scheduler;
    auth: Auth;
    apiKeys: ApiKeys;
    telegram: Telegram;
    push: Push;
    exports: Exports;
    reads: Reads;
  };

const BODY_LIMIT = 256 * 1024;

/** What the stream tells of. */
const TOPICS = [
  pricesTopic,
  marketTopic,
  recordTopic,
  collectionTopic,
  inflationTopic,
  eventsTopic,
  accountTopic,
  alertsTopic,
  exportsTopic,
];

/** All routes, one error shape. */
export function buildApp(deps: Deps): FastifyInstance {
  const {
    config,
    log,
    settings,
    report,
    market,
    metrics,
    predictions,
    analysis,
    inflation,
    events,
    alerts,
    thresholds,
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
    readiness,
    monitoring,
    requests,
    scheduler,
    auth,
    apiKeys,
    telegram,
    push,
    billing,
    cards,
    usdc,
    exports,
    reads,
  } = deps;
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY,
    routerOptions: { ignoreTrailingSlash: true },
    ...earlyErrors,
  });
  answerDirectly(app, auth.callers.known, requests);
  requests?.mount(app);
  nameCallers(app, auth.callers);
  cacheAnswers(app, config.CDN_TAGS);
  const always = { 'x-content-type-options': 'nosniff', ...transportHeaders(config.PUBLIC_URL) };
  // Prepared buffers bring their own headers and pass by this hook.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers({ 'x-request-id': request.id, ...always });
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });

  handleErrors(app, report, (path) => (path.startsWith('/api/auth/') ? 'authentication' : 'system'));

  healthRoutes(app, health, readiness);
  monitoringRoutes(app, monitoring);
  const nextCollection = (at: Date) => scheduler.nextRun(config.FULL_COLLECTION_CRON, at);
  dashboardRoutes(app, models.dashboard, {
    market,
    metrics,
    analysis,
    predictions,
    mode,
    now,
    nextCollection,
    sources,
    reads,
  });
  const requestBackfill = (coinId: string) =>
    scheduler.send('market.backfill', { coinId }, { key: coinId, priority: 500 });
  marketRoutes(app, market, models, { reads, requestBackfill });
  metricsRoutes(app, metrics, models);
  layer1Routes(app, models.layer1);
  narrativesRoutes(app, models.narratives);
  analysisRoutes(app, { scheduler, predictions: models.predictions, db, now });
  predictionsRoutes(app, predictions, models.backtest);
  inflationRoutes(app, inflation, models);
  eventsRoutes(app, events, models.events);
  alertsRoutes(app, alerts);
  thresholdsRoutes(app, thresholds);
  notificationsRoutes(app, notifications);
  legalRoutes(app, models.about);
  sourcesRoutes(app, { sources, mode, now, db, scheduler });
  jobsRoutes(app, { db, now, scheduler });
  mailRoutes(app, { db, now, mail });
  userRoutes(app, { ...auth.ctx, live, billing, cards, notifications: notifications.ctx, apiKeys });
  auditRoutes(app, { db });
  contactRoutes(app, auth.ctx);
  errorLogsRoutes(app, auth.ctx);
  collectionsRoutes(app, { db, reads, now, analysis, report, log });
  statusRoutes(app, { ...auth.ctx, live }, models);
  settingsRoutes(app, { auth: auth.ctx, settings });
  telegramRoutes(app, telegram);
  telegramAdminRoutes(app, telegram, auth.ctx);
  if (mode === 'demo') {
    demoMailRoute(app, mail);
    demoMailsRoutes(app, { db, mail });
    demoTelegramRoutes(app, telegram);
  }
  streamRoute(app, live, TOPICS, (ticket) => redeemTicket(auth.ctx, ticket));
  authRoutes(app, auth.ctx, TOPICS);
  twoFactorRoutes(app, auth.ctx);
  passkeysRoutes(app, auth.ctx);
  personalDataRoutes(app, auth.ctx);
  profileRoutes(app, { ...auth.ctx, live, cardOf: cards.cardOf });
  billingRoutes(app, billing);
  cardsRoutes(app, cards);
  usdcRoutes(app, usdc);
  booksRoutes(app, { billing, usdc });
  emailRoutes(app, { ...auth.ctx, live });
  pushRoutes(app, push.ctx);
  webhooksRoutes(app, auth.ctx);
  historyRoutes(app, { db, reads, market, metrics, mode, now });
  analyticsRoutes(app, { db, reads, market, metrics, predictions, mode, now }, scheduler);
  exportsRoutes(app, exports);
  settingsFilesRoutes(app, { thresholds, notifications, now });
  const api = {
    ...auth.ctx,
    reads,
    market,
    metrics,
    predictions,
    analysis,
    inflation,
    events,
    alerts,
    thresholds,
    sources,
    live,
    nextCollection: (at: Date = now()) => nextCollection(at),
    latest: models.api.latest,
    requestBackfill,
  };
  const calls = apiCalls(api);
  apiKeysRoutes(app, apiKeys);
  const documentHeaders = sharedHeaders('/api/openapi.json', config.CDN_TAGS);
  apiRoutes(app, calls, {
    ...models.api,
    apiKeys,
    live,
    topics: TOPICS,
    publicUrl: auth.ctx.publicUrl,
    documentHeaders,
  });
  mcpRoutes(app, apiKeys.gate, calls, api);
  widgetsRoutes(app, api, transportHeaders(config.PUBLIC_URL));
  pages.mount(app);
  return app;
}
