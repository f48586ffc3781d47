import type { AdminSource, SourceRun } from '#features/operations/contract/sources.ts';
import { lockJobs, nextRun, type RunEnd, runEnds, startJobs } from '#features/operations/server/jobs/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import type { SourceMaintenance, SourceRecord, SourceSet } from '#kernel/source-set.ts';
import { grouped } from '#shared/format.ts';
import { type Collection, lastCollections, saveCollection } from './store.ts';

export type SourcesDeps = { db: Db; now: () => Date; sources: SourceSet; scheduler: Scheduler };

/** Pauses after a manual collection, and after the source asked us to slow down. */
const BY_HAND_REST_MS = 30_000;
const SLOW_DOWN_REST_MS = 60_000;

/** The jobs that fetch the newest data of a source. */
const findJobs = ({ jobs }: Pick<Scheduler, 'jobs'>, id: string) => jobs.filter(({ reads }) => reads?.includes(id));

export async function listForAdmins(deps: SourcesDeps): Promise<{ timestamp: string; sources: AdminSource[] }> {
  const { db, now, sources, scheduler } = deps;
  await sources.reload();
  const [records, upkeep, collections] = await Promise.all([sources.records(), sources.upkeep(), lastCollections(db)]);
  const ends = await runEnds(
    db,
    [...collections.values()].flatMap(({ job_ids }) => job_ids),
  );
  const upkeepOf = new Map(upkeep.map((each) => [each.id, each]));
  const listed = records.map((record): AdminSource => {
    const own = upkeepOf.get(record.id) as SourceMaintenance;
    const jobs = findJobs(scheduler, record.id);
    const collection = collections.get(record.id);
    return {
      ...record,
      ...own,
      jobs: jobs.map(({ name }) => name),
      nextRunAt: sources.isOn(record.id) ? nextRun(scheduler, jobs, now()) : null,
      notNow: refusalReason(deps, record, own, collection),
      run: collection ? toSourceRun(record, collection, ends) : null,
    };
  });
  return { timestamp: now().toISOString(), sources: listed };
}

const secondsTo = (ms: number) => {
  const seconds = Math.ceil(ms / 1000);
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

/** Why a source cannot be called now, regardless of its jobs. */
function refusalReason(
  { now, sources, scheduler }: SourcesDeps,
  { id, name, note, state, lastFailureAt }: SourceRecord,
  { budget, streams }: SourceMaintenance,
  collection: Collection | undefined,
): string | null {
  if (!sources.isOn(id)) return `${name} is off: ${note ?? 'not requested'}`;
  if (findJobs(scheduler, id).length === 0)
    return streams ? `${name} streams over an open connection: nothing to collect` : `No job reads ${name}`;
  if (budget && budget.used >= budget.limit) return `${name}: this month’s ${grouped(budget.limit)} calls are used up`;
  const since = (at: string) => now().getTime() - Date.parse(at);
  const slowDown = state === 'rate_limited' && lastFailureAt ? SLOW_DOWN_REST_MS - since(lastFailureAt) : 0;
  if (slowDown > 0) return `${name} is rate-limiting us. Try again in ${secondsTo(slowDown)}`;
  const rest = collection ? BY_HAND_REST_MS - since(collection.asked_at) : 0;
  if (rest > 0) return `${name} was requested a moment ago. Try again in ${secondsTo(rest)}`;
  return null;
}

/** Undefined without an outcome: the queue retains runs for a day. */
function toSourceRun(record: SourceRecord, collection: Collection, ends: Map<string, RunEnd>): SourceRun | null {
  const runs = collection.job_ids.flatMap((id) => ends.get(id) ?? []);
  if (runs.length < collection.job_ids.length) return null;
  return {
    ...toOutcome(record, collection, runs),
    askedAt: collection.asked_at,
    askedBy: collection.email,
  };
}

/** Derived from the source's own record, so that the clocks of two processes need not agree. */
function toOutcome(
  { state, note, lastSuccessAt, lastFailureAt }: SourceRecord,
  { success_before, failure_before }: Collection,
  runs: RunEnd[],
): Pick<SourceRun, 'state' | 'note'> {
  if (runs.some((run) => run.state === 'running')) return { state: 'running', note: null };
  if (runs.some((run) => run.state === 'waiting')) return { state: 'waiting', note: null };
  const hasFailed = lastFailureAt !== failure_before;
  if (lastSuccessAt !== success_before && (state === 'ok' || !hasFailed)) return { state: 'answered', note: null };
  if (hasFailed) return { state: 'unanswered', note };
  const failed = runs.find((run) => run.state === 'failed');
  if (failed) return { state: 'failed', note: failed.error };
  return { state: 'not_asked', note: null };
}

/** Starts the jobs that read it, once for concurrent callers. */
export async function collect(deps: SourcesDeps, caller: Caller, id: string): Promise<{ jobs: string[] }> {
  const { db, now, sources, scheduler } = deps;
  const names = findJobs(scheduler, id).map(({ name }) => name);
  return db.transaction().execute(async (tx) => {
    await lockJobs(tx, names);
    await sources.reload();
    const record = (await sources.records()).find((each) => each.id === id);
    const own = (await sources.upkeep()).find((each) => each.id === id);
    if (!record || !own) throw new AppError('not_found', 'Source not found');
    const why = refusalReason(deps, record, own, (await lastCollections(tx)).get(id));
    if (why) throw new AppError('conflict', why);
    const busy = (job: string) => `${record.name} is already being read: ${job} is running`;
    const ids = await startJobs(deps, tx, names, busy);
    const at = now();
    await saveCollection(tx, {
      source: id,
      asked_at: at.toISOString(),
      asked_by: caller.userId,
      job_ids: ids,
      success_before: record.lastSuccessAt,
      failure_before: record.lastFailureAt,
    });
    const details = { source: id, jobs: names };
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action: 'source.collect', details });
    return { jobs: names };
  });
}
