import { alertsJobs } from '#features/alerts/server/jobs.ts';
import { analysisJobs } from '#features/analysis/server/jobs.ts';
import { authJobs } from '#features/auth/server/jobs.ts';
import { billingJobs } from '#features/billing/server/jobs.ts';
import { cardsJobs } from '#features/cards/server/jobs.ts';
import { contactJobs } from '#features/contact/server/jobs.ts';
import { digestsJobs } from '#features/digests/server/jobs.ts';
import { emailJobs } from '#features/email/server/jobs.ts';
import type { EmailContext } from '#features/email/server/service.ts';
import { eventsJobs } from '#features/events/server/jobs.ts';
import { exportsJobs } from '#features/exports/server/jobs.ts';
import type { Exports } from '#features/exports/server/service.ts';
import { inflationJobs } from '#features/inflation/server/jobs.ts';
import { marketJobs } from '#features/market/server/jobs.ts';
import { metricsJobs } from '#features/metrics/server/jobs.ts';
import { METRIC_ADAPTERS } from '#features/metrics/server/sources.ts';
import { notificationsJobs } from '#features/notifications/server/jobs.ts';
import type { Notifications } from '#features/notifications/server/service.ts';
import { predictionsJobs } from '#features/predictions/server/jobs.ts';
import { statusJobs } from '#features/status/server/jobs.ts';
import { telegramJobs } from '#features/telegram/server/jobs.ts';
import { thresholdsJobs } from '#features/thresholds/server/jobs.ts';
import { usdcJobs } from '#features/usdc/server/jobs.ts';
import { webhooksJobs } from '#features/webhooks/server/jobs.ts';

import type { Features } from './features.ts';
import type { Payments } from './payments.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { forgetOldErrors } from './platform/error-store.ts';
import { forgetOldBeats } from './platform/heartbeat.ts';
import type { Mail } from './platform/mail/mail.ts';
import { forgetOldMails } from './platform/mail/outbox.ts';
import { defineJob, type Job, noPayload, type Scheduler } from './platform/scheduler.ts';
import { forgetOldCalls } from './platform/source-calls.ts';

type Deps = Features &
  Payments & {
    notifications: Notifications;
    exports: Exports;
    email: EmailContext;
    mail: Mail;
    db: Db;
    now: () => Date;
    config: Config;
    scheduler: () => Scheduler;
  };

const SLOW_SOURCES = METRIC_ADAPTERS.filter(({ lane }) => lane === 'slow').map(({ source }) => source);

/** Every job of the product. */
export function allJobs({
  market,
  metrics,
  predictions,
  analysis,
  inflation,
  events,
  alerts,
  thresholds,
  notifications,
  billing,
  cards,
  usdc,
  exports,
  email,
  mail,
  db,
  now,
  config,
  scheduler,
}: Deps): Job[] {
  /** The full collection ends with an analysis of what it brought. */
  const analysed = (job: Job): Job =>
    job.name === 'market.collect'
      ? {
          ...job,
          async run(payload, signal) {
            await analysis.step('market', () => job.run(payload, signal));
            await scheduler().send('analysis.run');
          },
        }
      : job;
  /** Whoever waits for a job to end finds then how its sources answered. */
  const told = (job: Job): Job =>
    job.reads
      ? {
          ...job,
          async run(payload, signal) {
            try {
              await job.run(payload, signal);
            } finally {
              await market.ctx.sources.save();
            }
          },
        }
      : job;
  const all = [
    ...marketJobs(market.ctx, scheduler).map(analysed),
    ...metricsJobs(metrics.ctx),
    ...predictionsJobs(predictions),
    ...analysisJobs(analysis, scheduler),
    ...eventsJobs(events),
    ...alertsJobs(alerts),
    ...inflationJobs(inflation),
    ...thresholdsJobs(thresholds),
    ...notificationsJobs(notifications),
    ...contactJobs({ db, now }),
    ...statusJobs({ db, now, config, scheduler, slowSources: SLOW_SOURCES }),
    ...emailJobs(email, notifications.settle),
    ...digestsJobs({ email, notifications, metrics, market, thresholds: thresholds.ctx }),
    ...authJobs({ db, now }),
    ...telegramJobs({ db, now }),
    ...webhooksJobs({ db, now }),
    ...billingJobs(billing),
    ...cardsJobs(cards),
    ...usdcJobs(usdc),
    ...exportsJobs(exports, scheduler),
    defineJob({
      name: 'mail.deliver',
      about: 'Sends the mails that are due; a mail that was just posted does not wait for it',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async (_, signal) => void (await mail.deliver(signal)),
    }),
    defineJob({
      name: 'platform.retention',
      about: 'Forgets old heartbeats, error logs and mails',
      schedule: ['41 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        await forgetOldBeats(db, now());
        await forgetOldCalls(db, now());
        await forgetOldMails(db, now());
        await forgetOldErrors(db, now(), config.ERROR_LOG_DAYS);
      },
    }),
  ];
  return all.map(told);
}
