import type pg from 'pg';
import { PgBoss, type Job as PgBossJob } from 'pg-boss';
import { z } from 'zod';
import type { ReportError } from './error-reports.ts';
import { AppError, errorMessage } from './errors.ts';
import { deleteLostWorkers, recordJobEnd, recordJobStart } from './job-records.ts';
import type { Listener } from './listener.ts';
import { type Log, redacted } from './log.ts';
import { createCounter } from './route-figures.ts';
import { inSpan } from './tracing.ts';

/** A unit of background work. Handlers are idempotent: delivery is at least once. */
export type Job<D = unknown> = {
  name: string;
  about: string;
  /** UTC cron expressions; absent for jobs that are only sent. */
  schedule?: string[];
  payload: z.ZodType<D>;
  retryLimit?: number;
  expireSeconds?: number;
  /** It fetches external data: its failures are reported as such. */
  collectsSources?: boolean;
  /** At most one waiting and one running. */
  exclusive?: boolean;
  /** How many of them one process runs concurrently; 1 by default. */
  concurrency?: number;
  /** Sources whose newest data it fetches: what 'Collect now' starts. */
  reads?: readonly string[];
  /** The job that sends it when it ends. */
  after?: string;
  /** Why an administrator may not run it manually, in one sentence; absent when they may. */
  isAutomaticOnly?: string;
  run: (payload: D, signal: AbortSignal) => Promise<void>;
};

export const noPayload = z.preprocess((value) => value ?? {}, z.object({}));

export const defineJob = <D>(job: Job<D>): Job => job as unknown as Job;

export type Scheduler = {
  jobs: readonly Job[];
  /** Starts working on the jobs and their schedules. Only workers call it. */
  work: () => Promise<void>;
  send: (
    name: string,
    payload?: object,
    options?: { key?: string; afterSeconds?: number; priority?: number },
  ) => Promise<void>;
  /** Like `send` without a payload, and returns the id of the job; null when the queue takes no second one. */
  start: (name: string, payload?: object) => Promise<string | null>;
  /** Restarts a failed run; false when an exclusive job has another run waiting to retry. */
  retry: (name: string, id: string) => Promise<boolean>;
  /** Runs one job here and now, like `npm run job -- NAME`. */
  runManually: (name: string, payload?: unknown) => Promise<void>;
  /** Whether a job of that name is ready to run or running, in any process. */
  isUnderWay: (name: string) => Promise<boolean>;
  /** Payloads waiting for a worker. */
  waiting: (name: string) => Promise<object[]>;
  nextRun: (crons: string[], from: Date) => Date | null;
  stop: () => Promise<void>;
};

/** Running jobs may finish within this time at shutdown; then their signal is aborted. */
const GRACE_MS = 4_000;
/** A worker without a heartbeat for this long counts as dead, and its runs are reassigned. */
const HEARTBEAT_SECONDS = 30;
const SUPERVISE_SECONDS = 20;
/** NOTIFY wakes workers for new jobs, but not for retries and delayed jobs: one query for all queues finds those. */
const DUE_INTERVAL_MS = 2_000;
const POLLING = { pollingIntervalSeconds: 30, notifyPollingIntervalSeconds: 30, batchSize: 1 };
const DUE_QUEUES = `select distinct name from pgboss.job
  where state < 'active' and not blocked and start_after <= pgboss.job_now()`;
const UNIQUE_VIOLATION = '23505';
const MAX_ERROR_LENGTH = 2_000;

const runs = createCounter('meridian_job_runs_total', 'Job runs completed in this process.', ['job_name', 'outcome']);
const seconds = createCounter('meridian_job_run_seconds_total', 'Duration of job runs in this process, in seconds.', [
  'job_name',
]);

type Deps = { pool: pg.Pool; listener: Listener; log: Log; report: ReportError };

export async function openScheduler({ pool, listener, log, report }: Deps, jobs: Job[]): Promise<Scheduler> {
  const stopping = new AbortController();
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values as unknown[]),
      listen: listener.listen,
    },
    useListenNotify: true,
    migrate: false,
    createSchema: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: 3600,
  });
  boss.on('error', (error) => {
    if (!stopping.signal.aborted) report('scheduler', 'system', 'The job queue failed', error);
  });
  boss.on('warning', (warning) => log.debug({ warning }, 'job queue warning'));
  await boss.start();
  const byName = new Map(jobs.map((job) => [job.name, job]));

  function find(name: string): Job {
    const job = byName.get(name);
    if (!job) throw new AppError('not_found', `Unknown job "${name}". Jobs: ${[...byName.keys()].join(', ')}`);
    return job;
  }

  /** Records are informational: a failure to write them does not stop the work. */
  const truncateError = (writing: Promise<void>) =>
    writing.catch((error: unknown) => log.debug({ error: errorMessage(error) }, 'failed to record a job run'));

  async function perform(job: Job, data: unknown, signal: AbortSignal, id: string | null): Promise<void> {
    const { name } = job;
    const begun = id === null ? undefined : truncateError(recordJobStart(pool, id));
    const started = performance.now();
    const ms = () => performance.now() - started;
    try {
      await inSpan(`job ${name}`, 'internal', { 'meridian.job': name }, () =>
        job.run(job.payload.parse(data ?? {}), signal),
      );
    } catch (error) {
      runs.inc({ job_name: name, outcome: 'failed' });
      seconds.inc({ job_name: name }, ms() / 1000);
      await begun;
      const words = redacted(errorMessage(error)).slice(0, MAX_ERROR_LENGTH);
      await truncateError(recordJobEnd(pool, id, { name, ms: ms(), error: words }));
      throw error;
    }
    runs.inc({ job_name: name, outcome: 'done' });
    seconds.inc({ job_name: name }, ms() / 1000);
    log.debug({ job: name, ms: Math.round(ms()) }, 'job completed');
    await begun;
    await truncateError(recordJobEnd(pool, id, { name, ms: ms(), error: null }));
  }

  /** Writes only differences: a second start has nothing to write. */
  async function ensureQueues(): Promise<void> {
    const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const job of jobs) {
      const options = {
        policy: job.exclusive ? ('stately' as const) : ('standard' as const),
        notify: true,
        retryLimit: job.retryLimit ?? 2,
        retryDelay: 5,
        retryBackoff: true,
        expireInSeconds: job.expireSeconds ?? 300,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retentionSeconds: 3 * 86_400,
        deleteAfterSeconds: 86_400,
      };
      const { policy, ...rest } = options;
      const queue = present.get(job.name);
      if (!queue) await boss.createQueue(job.name, { policy, ...rest });
      else if (Object.entries(rest).some(([option, value]) => queue[option as keyof typeof rest] !== value))
        await boss.updateQueue(job.name, rest);
    }
  }
  await ensureQueues();

  const workers = new Map<string, string[]>();
  let waking: NodeJS.Timeout | undefined;
  async function startDueJobs(): Promise<void> {
    const { rows } = await pool.query<{ name: string }>(DUE_QUEUES);
    for (const { name } of rows) for (const id of workers.get(name) ?? []) boss.notifyWorker(id);
  }
  function pollDueJobs(): void {
    if (stopping.signal.aborted) return;
    waking = setTimeout(() => {
      startDueJobs()
        .catch((error: unknown) => log.debug({ error: errorMessage(error) }, 'failed to poll due jobs'))
        .finally(pollDueJobs);
    }, DUE_INTERVAL_MS).unref();
  }

  return {
    jobs,
    async work() {
      await truncateError(deleteLostWorkers(pool));
      const schedules = Map.groupBy(await boss.getSchedules(), ({ name }) => name);
      for (const job of jobs) {
        const crons = new Map((job.schedule ?? []).map((cron, i) => [`s${i}`, cron]));
        const present = new Map(schedules.get(job.name)?.map(({ key, cron }) => [key, cron]));
        for (const [key, cron] of crons)
          if (present.get(key) !== cron) await boss.schedule(job.name, cron, {}, { tz: 'UTC', key });
        for (const key of present.keys()) if (!crons.has(key)) await boss.unschedule(job.name, key);
        const ids: string[] = [];
        const take = async ([item]: PgBossJob<unknown>[]) => {
          if (!item) return;
          try {
            await perform(job, item.data, AbortSignal.any([stopping.signal, item.signal]), item.id);
          } catch (error) {
            if (stopping.signal.aborted) throw error;
            report(
              job.name,
              job.collectsSources || job.reads ? 'data_collection' : 'system',
              `The job ${job.name} failed`,
              error,
            );
            throw error;
          } finally {
            // Without this, the next job of a backlog would wait for the poll of due jobs.
            for (const id of ids) boss.notifyWorker(id);
          }
        };
        for (let i = 0; i < (job.concurrency ?? 1); i++) ids.push(await boss.work(job.name, POLLING, take));
        workers.set(job.name, ids);
      }
      pollDueJobs();
    },
    async send(name, payload = {}, { key, afterSeconds, priority } = {}) {
      find(name);
      await boss.send(name, payload, {
        ...(key ? { singletonKey: key } : {}),
        ...(afterSeconds ? { startAfter: afterSeconds } : {}),
        ...(priority ? { priority } : {}),
      });
    },
    async start(name, payload = {}) {
      find(name);
      return boss.send(name, payload);
    },
    async retry(name, id) {
      try {
        await boss.retry(name, id);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
    async runManually(name, payload) {
      const job = find(name);
      const parsed = job.payload.safeParse(payload ?? {});
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        throw new AppError(
          'bad_request',
          `${name}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}. ${job.about}`,
        );
      }
      await perform(job, payload, stopping.signal, null);
    },
    async isUnderWay(name) {
      const { rows } = await pool.query(
        `select 1 from pgboss.job where name = $1 and state in ('created', 'retry', 'active') and start_after <= now() limit 1`,
        [name],
      );
      return rows.length > 0;
    },
    async waiting(name) {
      const jobs = await boss.findJobs<object>(name, { queued: true });
      return jobs.map((job) => job.data);
    },
    nextRun(crons, from) {
      const times = crons.flatMap((cron) => boss.previewSchedule(cron, { from, count: 1, tz: 'UTC' }));
      return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
    },
    async stop() {
      clearTimeout(waking);
      const patience = setTimeout(() => stopping.abort(), GRACE_MS);
      await boss.stop({ graceful: true, timeout: GRACE_MS + 4_000 }).finally(() => clearTimeout(patience));
      stopping.abort();
    },
  };
}
