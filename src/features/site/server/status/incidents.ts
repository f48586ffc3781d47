import { type createIncident, type Stage, statusTopic } from '#features/site/contract/status.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Caller, Input } from '#kernel/route.ts';
import { addIncident, addUpdate, endIncident, isResolved, lockIncident, markRetracted } from './store/incidents.ts';

export type IncidentContext = { db: Db; now: () => Date; live: Pick<Live, 'publishIn'> };
const LONGEST_MAINTENANCE_MS = 7 * 86_400_000;
const FURTHEST_MS = 366 * 86_400_000;

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();
const refuse = (message: string) => new AppError('bad_request', message);
const notFound = () => new AppError('not_found', 'Incident not found');

type Body = Input<typeof createIncident>['body'];

/** Start and end; only maintenance is planned. */
function incidentTimes({ impact, startsAt, endsAt }: Body, now: Date): { startsAt: Date; endsAt: Date | null } {
  if (impact !== 'maintenance') {
    if (startsAt || endsAt) throw refuse('Only maintenance has a scheduled time');
    return { startsAt: now, endsAt: null };
  }
  if (!startsAt || !endsAt) throw refuse('Maintenance needs a start and an end');
  const [from, until] = [new Date(startsAt), new Date(endsAt)];
  if (until <= from) throw refuse('The end must be after the start');
  if (until <= now) throw refuse('The end must be in the future');
  if (until.getTime() - from.getTime() > LONGEST_MAINTENANCE_MS)
    throw refuse('Maintenance can last at most seven days');
  if (from.getTime() - now.getTime() > FURTHEST_MS) throw refuse('The start must be within a year');
  return { startsAt: from, endsAt: until };
}

/** Creates an incident, notifies every process, and records the author. */
export async function create(ctx: IncidentContext, caller: Caller, body: Body): Promise<number> {
  const now = ctx.now();
  const times = incidentTimes(body, now);
  if (body.stage === 'resolved') throw refuse('A new incident cannot already be resolved');
  return changing(ctx, caller, 'incident.create', async (tx) => {
    const components = [...new Set(body.components)];
    const { impact, stage } = body;
    const [title, message] = [clean(body.title), clean(body.message)];
    const id = await addIncident(tx, { title, impact, components, ...times, createdBy: caller.userId }, now);
    await addUpdate(tx, { incident: id, stage, message, author: caller.userId }, now);
    return { result: id, details: { incident: id, title, impact } };
  });
}

export async function update(
  ctx: IncidentContext,
  caller: Caller,
  id: number,
  { stage, message }: { stage: Stage; message: string },
): Promise<void> {
  const now = ctx.now();
  await changing(ctx, caller, 'incident.update', async (tx) => {
    const found = await getVisible(tx, id);
    if (await isResolved(tx, id)) throw new AppError('conflict', 'The incident is already resolved');
    if (stage === 'resolved') {
      if (found.kind === 'measured' && found.ends_at === null)
        throw new AppError('conflict', 'Measured incidents resolve automatically and cannot be resolved manually');
      const isOver = found.ends_at !== null && new Date(found.ends_at) <= now;
      // One that has not started ends at its planned start.
      if (!isOver) await endIncident(tx, id, new Date(Math.max(now.getTime(), Date.parse(found.starts_at))));
    }
    await addUpdate(tx, { incident: id, stage, message: clean(message), author: caller.userId }, now);
    return { result: undefined, details: { incident: id, stage } };
  });
}

export async function retract(ctx: IncidentContext, caller: Caller, id: number): Promise<void> {
  await changing(ctx, caller, 'incident.retract', async (tx) => {
    const found = await getVisible(tx, id);
    if (found.kind === 'measured') throw new AppError('conflict', 'Measured incidents cannot be retracted');
    await markRetracted(tx, id, caller.userId, ctx.now());
    return { result: undefined, details: { incident: id } };
  });
}

async function getVisible(tx: Db, id: number) {
  const found = await lockIncident(tx, id);
  if (!found) throw notFound();
  if (found.retracted_at) throw new AppError('conflict', 'The incident was retracted');
  return found;
}

type Change<T> = (tx: Db) => Promise<{ result: T; details: Record<string, unknown> }>;

async function changing<T>(ctx: IncidentContext, caller: Caller, action: string, change: Change<T>): Promise<T> {
  const at = ctx.now();
  return ctx.db.transaction().execute(async (tx) => {
    const { result, details } = await change(tx);
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action, details });
    await ctx.live.publishIn(tx, statusTopic, { at: at.getTime() });
    return result;
  });
}
