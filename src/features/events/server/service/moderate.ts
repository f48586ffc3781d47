import { type Event, eventsTopic } from '#features/events/contract.ts';
import { withdraw } from '#features/notifications/server/notifications/service.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { EventsContext } from '../context.ts';
import {
  deleteEvent,
  eventsById,
  findEvent,
  findStoredEvents,
  readMarks,
  type Span,
  setIgnored,
  statementsFor,
} from '../store.ts';
import { eventSubject } from './reminders.ts';
import { createFigures, type Kept, ordered, toEvent } from './view.ts';

/** One response for all; the admin table pages through it. */
const MAX_LISTED = 2000;

export async function readKept(ctx: EventsContext, span: Span, most = MAX_LISTED): Promise<Kept[]> {
  const events = await findStoredEvents(ctx.db, span, most);
  const ids = events.map(({ id }) => id);
  const [statements, marks] = await Promise.all([statementsFor(ctx.db, ids), readMarks(ctx.db, ids)]);
  const saidOf = Map.groupBy(statements, ({ event_id }) => event_id);
  const marksFor = Map.groupBy(marks, ({ event_id }) => event_id);
  return events.map((event) => ({
    event,
    statements: saidOf.get(event.id) ?? [],
    marks: marksFor.get(event.id) ?? [],
  }));
}

/** Includes ignored events, for admins. */
export async function listEvents(ctx: EventsContext, which: 'all' | 'upcoming' | 'past'): Promise<Event[]> {
  const now = ctx.now();
  const stored = await readKept(ctx, {});
  const own = createFigures(ctx.inflation);
  const events = ordered(stored.map((each) => toEvent(each, now, own)));
  return which === 'all' ? events : events.filter(({ status }) => status === which);
}

const missing = () => new AppError('not_found', 'Event not found');

async function act(
  ctx: EventsContext,
  caller: Caller,
  id: number,
  action: string,
  change: (tx: EventsContext['db'], at: Date) => Promise<boolean>,
): Promise<void> {
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    const event = await findEvent(tx, id);
    if (!event || !(await change(tx, at))) throw missing();
    // A restored event is announced again at the next check.
    await withdraw(tx, { subject: eventSubject(id) }, at);
    const details = { event: id, title: event.title, date: event.at };
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action, details });
  });
  await ctx.live.publish(eventsTopic, { at: at.getTime() });
}

export async function ignore(ctx: EventsContext, caller: Caller, id: number, ignored: boolean): Promise<Event> {
  await act(ctx, caller, id, ignored ? 'event.ignore' : 'event.unignore', (tx, at) =>
    setIgnored(tx, id, ignored ? at : null),
  );
  const event = (await eventsById(ctx.db, [id])).get(id);
  if (!event) throw missing();
  const [statements, marks] = await Promise.all([statementsFor(ctx.db, [id]), readMarks(ctx.db, [id])]);
  return toEvent({ event, statements, marks }, ctx.now(), createFigures(ctx.inflation));
}

/** Permanent: later statements of its sources match the tombstone. */
export const rejectEvent = (ctx: EventsContext, caller: Caller, id: number): Promise<void> =>
  act(ctx, caller, id, 'event.delete', (tx, at) => deleteEvent(tx, id, at));
