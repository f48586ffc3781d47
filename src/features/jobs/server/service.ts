import { audit } from '#server/platform/audit.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller } from '#server/platform/route.ts';
import type { Job as Declared, Scheduler } from '#server/platform/scheduler.ts';

import { type FailedRun, type Job, MOST_FAILED } from '../contract.ts';
import { firstLines, shownError, shownPayload } from './redact.ts';
import { failedRuns, failuresOfDay, findRuns, jobRecords, lockJobs, openRuns, underWay } from './store.ts';

export { lockJobs } from './store.ts';

export type JobsDeps = { db: Db; now: () => Date; scheduler: Scheduler };

const NEEDS_PAYLOAD = 'It needs to be told what to work on: the product sends it.';

const whyNot = ({ notByHand, payload }: Declared): string | null =>
  notByHand ?? (payload.safeParse({}).success ? null : NEEDS_PAYLOAD);

/** When the first of the jobs comes; one that another sends comes when that one does. */
export function nextRun(scheduler: Scheduler, jobs: readonly Declared[], from: Date): string | null {
  const crons = jobs.flatMap(
    ({ schedule, after }) => schedule ?? scheduler.jobs.find(({ name }) => name === after)?.schedule ?? [],
  );
  return crons.length > 0 ? (scheduler.nextRun(crons, from)?.toISOString() ?? null) : null;
}

export async function listJobs({ db, now, scheduler }: JobsDeps): Promise<{ timestamp: string; jobs: Job[] }> {
  const [runs, records, failures] = await Promise.all([openRuns(db), jobRecords(db), failuresOfDay(db)]);
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
      notByHand: whyNot(declared),
    };
  });
  return { timestamp: now().toISOString(), jobs };
}

export async function listFailed({ db, scheduler }: JobsDeps): Promise<{ runs: FailedRun[]; total: number }> {
  const rows = await failedRuns(
    db,
    scheduler.jobs.map(({ name }) => name),
    MOST_FAILED,
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

/** Starts the jobs, all or none, unless one of them is under way. Returns the ids of the runs. */
export async function startJobs(
  { scheduler }: Pick<JobsDeps, 'scheduler'>,
  tx: Db,
  names: readonly string[],
  refusal: (busy: string) => string,
): Promise<string[]> {
  await lockJobs(tx, names);
  const [busy] = await underWay(tx, names);
  if (busy) throw new AppError('conflict', refusal(busy));
  const ids: string[] = [];
  for (const name of names) {
    const id = await scheduler.start(name);
    // The schedule was quicker by a moment.
    if (id === null) throw new AppError('conflict', refusal(name));
    ids.push(id);
  }
  return ids;
}

export async function runNow(deps: JobsDeps, caller: Caller, name: string): Promise<{ id: string }> {
  const declared = deps.scheduler.jobs.find((each) => each.name === name);
  if (!declared) throw new AppError('not_found', 'There is no such job');
  const why = whyNot(declared);
  if (why) throw new AppError('conflict', why);
  return deps.db.transaction().execute(async (tx) => {
    const [id = ''] = await startJobs(deps, tx, [name], (busy) => `${busy} is under way already`);
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
  const gone = () => new AppError('conflict', 'This run is gone: the queue keeps failed ones for a day');
  const [known] = await findRuns(deps.db, [id]);
  const declared = deps.scheduler.jobs.find(({ name }) => name === known?.name);
  if (!known || !declared) throw gone();
  const { name, singleton_key: key } = known;
  return deps.db.transaction().execute(async (tx) => {
    await lockJobs(tx, [name]);
    const [run] = await findRuns(tx, [id]);
    if (!run) throw gone();
    if (run.state !== 'failed') throw new AppError('conflict', 'This run has been started anew already');
    const busy = declared.exclusive && (await underWay(tx, [name], key)).length > 0;
    if (busy || !(await deps.scheduler.retry(name, id))) throw new AppError('conflict', `${name} is under way already`);
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
  /** `error`: the first lines of what it said. */
  | { state: 'failed'; error: string };

/** How runs stand, by id; those that the queue has forgotten are left out. */
export async function runEnds(db: Db, ids: readonly string[]): Promise<Map<string, RunEnd>> {
  const found = await findRuns(db, ids);
  return new Map(found.map(({ id, state, output }) => [id, endOf(state, output)]));
}

function endOf(state: string, output: unknown): RunEnd {
  if (state === 'failed' || state === 'cancelled') return { state: 'failed', error: shownError(output) };
  if (state === 'completed') return { state: 'done' };
  return { state: state === 'active' ? 'running' : 'waiting' };
}
