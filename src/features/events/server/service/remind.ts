import { eventsTopic } from '#features/events/contract.ts';

import type { EventsContext } from '../context.ts';
import { addDays, daysBetween } from '../days.ts';
import { addMarks, keptEvents, type Mark, marksOf, removeMarks } from '../store.ts';
import { sendReminders } from './reminders.ts';
import { isPast } from './view.ts';

/** Days before an event at which people may want to hear of it. */
export const WINDOWS = [1, 2, 3, 5, 7] as const;
const WIDEST = 7;
const MOST = 5000;

/**
 * Marks each event once in every window that it has come into, by whole UTC days. One that moved away leaves its windows and
 * can come into them again; an ignored or deleted one comes into none. People are reminded by the marks. Gives those that are new.
 */
export async function markWindows(ctx: EventsContext): Promise<Mark[]> {
  const now = ctx.now();
  const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const added = await ctx.db.transaction().execute(async (tx) => {
    const events = await keptEvents(tx, { from: today }, MOST);
    const upcoming = events.filter((event) => event.ignored_at === null && !isPast(event, now));
    const daysLeft = new Map(upcoming.map(({ id, at }) => [id, daysBetween(now, new Date(at))]));
    const marks = await marksOf(
      tx,
      events.map(({ id }) => id),
    );
    await removeMarks(
      tx,
      marks.filter(({ event_id, days }) => (daysLeft.get(event_id) ?? 0) > days),
    );
    const soon = upcoming.filter(({ at }) => Date.parse(at) < addDays(today, WIDEST + 1).getTime());
    const added = await addMarks(
      tx,
      soon.flatMap(({ id }) =>
        WINDOWS.filter((days) => (daysLeft.get(id) ?? WIDEST + 1) <= days).map((days) => ({
          event_id: id,
          days,
          entered_at: now.toISOString(),
        })),
      ),
    );
    await sendReminders(tx, upcoming, now);
    return added;
  });
  if (added.length > 0) await ctx.live.publish(eventsTopic, { at: now.getTime() });
  return added;
}
