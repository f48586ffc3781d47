import { type FailedRun, type Job, MAX_FAILED } from '#features/operations/contract/jobs.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { redacted } from '#kernel/log.ts';
import type { Caller } from '#kernel/route.ts';
import type { Job as Declared, Scheduler } from '#kernel/scheduler.ts';
import { countDailyFailures, failedRuns, findRunning, findRuns, jobRecords, lockJobs, openRuns } from './store.ts';

const MAX_PAYLOAD_LENGTH = 500;
const MAX_VALUE_LENGTH = 120;
const ERROR_LINES = 4;
const MAX_ERROR_LENGTH = 1_000;
const SECRET = /token|secret|password|key|code|ticket|challenge|email|address/i;

/** A payload as shown to administrators, without fields whose names suggest secret or personal data. */
export function shownPayload(data: unknown): string | null {
  if (data === null || data === undefined || (typeof data === 'object' && Object.keys(data).length === 0)) return null;
  const text = JSON.stringify(data, (name, value: unknown) => {
    if (SECRET.test(name)) return '[redacted]';
    return typeof value === 'string' && value.length > MAX_VALUE_LENGTH
      ? `${value.slice(0, MAX_VALUE_LENGTH)}…`
      : value;
  });
  return redacted(text).slice(0, MAX_PAYLOAD_LENGTH);
}

/** The first lines of a failed run's output. */
export function shownError(output: unknown): string {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const reason = [message, value?.message, output].find((each) => typeof each === 'string' && each !== '');
  return firstLines(typeof reason === 'string' ? reason : 'Ended without an error message');
}

const firstLines = (text: string): string =>
  redacted(text).split('\n').slice(0, ERROR_LINES).join('\n').slice(0, MAX_ERROR_LENGTH);

export { lockJobs } from './store.ts';

export type JobsDeps = { db: Db; now: () => Date; scheduler: Scheduler };

const NEEDS_PAYLOAD = 'This job needs input and is started by the system.';

const refusalReason = ({ isAutomaticOnly, payload }: Declared): string | null =>
  isAutomaticOnly ?? (payload.safeParse({}).success ? null : NEEDS_PAYLOAD);

/** Next run among the jobs; one triggered by another job runs with it. */
export function nextRun(scheduler: Scheduler, jobs: readonly Declared[], from: Date): string | null {
  const crons = jobs.flatMap(
    ({ schedule, after }) => schedule ?? scheduler.jobs.find(({ name }) => name === after)?.schedule ?? [],
  );
  return crons.length > 0 ? (scheduler.nextRun(crons, from)?.toISOString() ?? null) : null;
}

export async function listJobs({ db, now, scheduler }: JobsDeps): Promise<{ timestamp: string; jobs: Job[] }> {
  const [runs, records, failures] = await Promise.all([openRuns(db), jobRecords(db), countDailyFailures(db)]);
  const recordOf = new Map(records.map((record) => [record.name, record]));
  const runsOf = Map.groupBy(runs, ({ name }) => name);
  const jobs = scheduler.jobs.map((declared): Job => {
    const { name, about, schedule = [] } = declared;
    const open = runsOf.get(name) ?? [];
    const record = recordOf.get(name);
    return {
      name,
      about,
      schedule,
      nextRunAt: nextRun(scheduler, [declared], now()),
      running: open.filter(({ state }) => state === 'active').map(({ since, worker }) => ({ since, worker })),
      waiting: open.filter(({ state }) => state === 'waiting').length,
      lastSuccess: record?.succeeded_at ? { at: record.succeeded_at, ms: record.succeeded_ms ?? 0 } : null,
      lastFailure: record?.failed_at ? { at: record.failed_at, error: firstLines(record.error ?? '') } : null,
      failedToday: failures.get(name) ?? 0,
      notByHand: refusalReason(declared),
    };
  });
  return { timestamp: now().toISOString(), jobs };
}

export async function listFailed({ db, scheduler }: JobsDeps): Promise<{ runs: FailedRun[]; total: number }> {
  const rows = await failedRuns(
    db,
    scheduler.jobs.map(({ name }) => name),
    MAX_FAILED,
  );
  const runs = rows.map(({ id, name, data, output, retry_count, completed_on }) => ({
    id,
    name,
    payload: shownPayload(data),
    error: shownError(output),
    tries: retry_count + 1,
    failedAt: completed_on,
  }));
  return { runs, total: rows[0]?.total ?? 0 };
}

/** Starts the jobs, all or none, unless one of them is in progress. Returns the ids of the runs. */
export async function startJobs(
  { scheduler }: Pick<JobsDeps, 'scheduler'>,
  tx: Db,
  names: readonly string[],
  refusal: (busy: string) => string,
): Promise<string[]> {
  await lockJobs(tx, names);
  const [busy] = await findRunning(tx, names);
  if (busy) throw new AppError('conflict', refusal(busy));
  const ids: string[] = [];
  for (const name of names) {
    const id = await scheduler.start(name);
    // The schedule was a moment faster.
    if (id === null) throw new AppError('conflict', refusal(name));
    ids.push(id);
  }
  return ids;
}

export async function runNow(deps: JobsDeps, caller: Caller, name: string): Promise<{ id: string }> {
  const declared = deps.scheduler.jobs.find((each) => each.name === name);
  if (!declared) throw new AppError('not_found', 'Job not found');
  const why = refusalReason(declared);
  if (why) throw new AppError('conflict', why);
  return deps.db.transaction().execute(async (tx) => {
    const [id = ''] = await startJobs(deps, tx, [name], (busy) => `${busy} is already running`);
    await audit(tx, {
      at: deps.now(),
      actorId: caller.userId,
      subjectId: null,
      action: 'job.run',
      details: { job: name, run: id },
    });
    return { id };
  });
}

export async function retryFailed(deps: JobsDeps, caller: Caller, id: string): Promise<{ id: string; name: string }> {
  const runNotFound = () =>
    new AppError('conflict', 'This run is no longer available: failed runs are kept for one day');
  const [known] = await findRuns(deps.db, [id]);
  const declared = deps.scheduler.jobs.find(({ name }) => name === known?.name);
  if (!known || !declared) throw runNotFound();
  const { name, singleton_key: key } = known;
  return deps.db.transaction().execute(async (tx) => {
    await lockJobs(tx, [name]);
    const [run] = await findRuns(tx, [id]);
    if (!run) throw runNotFound();
    if (run.state !== 'failed') throw new AppError('conflict', 'This run has already been retried');
    const busy = declared.exclusive && (await findRunning(tx, [name], key)).length > 0;
    if (busy || !(await deps.scheduler.retry(name, id))) throw new AppError('conflict', `${name} is already running`);
    await audit(tx, {
      at: deps.now(),
      actorId: caller.userId,
      subjectId: null,
      action: 'job.retry',
      details: { job: name, run: id },
    });
    return { id, name };
  });
}

export type RunEnd =
  | { state: 'waiting' | 'running' | 'done' }
  /** `error`: the first lines of its output. */
  | { state: 'failed'; error: string };

/** Status of runs by id; runs no longer in the queue are omitted. */
export async function runEnds(db: Db, ids: readonly string[]): Promise<Map<string, RunEnd>> {
  const found = await findRuns(db, ids);
  return new Map(found.map(({ id, state, output }) => [id, toRunEnd(state, output)]));
}

function toRunEnd(state: string, output: unknown): RunEnd {
  if (state === 'failed' || state === 'cancelled') return { state: 'failed', error: shownError(output) };
  if (state === 'completed') return { state: 'done' };
  return { state: state === 'active' ? 'running' : 'waiting' };
}
