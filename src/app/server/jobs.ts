import { TRACKED } from '#features/market/contract/market.ts';
import { deleteOldErrors } from '#kernel/error-store.ts';
import { deleteOldHeartbeats } from '#kernel/heartbeat.ts';
import { deleteOldMails } from '#kernel/mail/outbox.ts';
import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';
import { deleteOldCalls } from '#kernel/source-calls.ts';
import type { SourceSet } from '#kernel/source-set.ts';
import { FEATURES, type JobParts } from './compose.ts';

/** Every job of the product. */
export function allJobs(parts: JobParts): Job[] {
  const { market, analysis, mail, db, now, config, scheduler } = parts;
  /** An analysis follows each full collection; the first one follows the backfill of the tracked coins. */
  function isAnalysisReady(job: Job): Job {
    if (job.name === 'market.collect')
      return {
        ...job,
        async run(payload, signal) {
          await analysis.step('market', () => job.run(payload, signal));
          await scheduler().send('analysis.run');
        },
      };
    if (job.name === 'market.backfill')
      return {
        ...job,
        async run(payload, signal) {
          await job.run(payload, signal);
          const { coinId } = payload as { coinId: string };
          if (TRACKED.some(({ id }) => id === coinId)) await scheduler().send('analysis.watch');
        },
      };
    return job;
  }
  /** Saves the state of the sources after a job, so that callers can read it. */
  const savingSources = (job: Job): Job =>
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
    ...FEATURES.flatMap(({ jobs }) => jobs?.(parts) ?? []).map(isAnalysisReady),
    defineJob({
      name: 'mail.deliver',
      about: 'Sends scheduled emails; new emails are sent immediately',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: async (_, signal) => void (await mail.deliver(signal)),
    }),
    defineJob({
      name: 'platform.retention',
      about: 'Deletes old heartbeats, error logs and emails',
      schedule: ['41 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: async () => {
        await deleteOldHeartbeats(db, now());
        await deleteOldCalls(db, now());
        await deleteOldMails(db, now());
        await deleteOldErrors(db, now(), config.ERROR_LOG_DAYS);
      },
    }),
  ];
  const jobs = all.map(savingSources);
  return [...jobs, createRetryJob(jobs, { sources: market.ctx.sources, scheduler, now })];
}

const MINUTE_MS = 60_000;
/** Minutes to wait before each retry after a failure; after the last one only the schedule applies. */
const RETRY_MINUTES = [1, 5, 15];

type RetryContext = { sources: SourceSet; scheduler: () => Scheduler; now: () => Date };

/** Retries a failed source soon, so that a feed read every six hours does not stay empty until its next run. */
function createRetryJob(jobs: readonly Job[], { sources, scheduler, now }: RetryContext): Job {
  const retried = new Map<string, number>();

  function isDue(id: string): boolean {
    const { state, lastFailureAt } = sources.status(id);
    if (state === 'ok') retried.delete(id);
    const wait = RETRY_MINUTES[retried.get(id) ?? 0];
    if (state !== 'down' || lastFailureAt === null || wait === undefined) return false;
    return now().getTime() - Date.parse(lastFailureAt) >= wait * MINUTE_MS;
  }

  return defineJob({
    name: 'sources.retry',
    about: 'Retries the job of a failed source after 1, 5 and 15 minutes, unless its schedule is sooner',
    schedule: ['* * * * *'],
    exclusive: true,
    retryLimit: 0,
    payload: noPayload,
    async run() {
      await sources.reload();
      for (const { name, schedule, reads = [] } of jobs) {
        const due = reads.filter(isDue);
        const next = schedule && scheduler().nextRun(schedule, now());
        if (due.length === 0 || !next || next.getTime() - now().getTime() <= 5 * MINUTE_MS) continue;
        if (await scheduler().isUnderWay(name)) continue;
        for (const id of due) retried.set(id, (retried.get(id) ?? 0) + 1);
        await scheduler().send(name);
      }
    },
  });
}
