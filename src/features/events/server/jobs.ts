import { eventsTopic } from '#features/events/contract.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import type { EventsContext } from './context.ts';
import { addDays, daysBetween } from './rules.ts';
import { collectEvents } from './service/collect.ts';
import { sendReminders } from './service/reminders.ts';
import { hasPassed } from './service/view.ts';
import type { Events } from './service.ts';
import { ADAPTERS } from './sources.ts';
import { addMarks, findStoredEvents, type Mark, readMarks, removeMarks } from './store.ts';

/** Days before an event for which reminders can be chosen. */
const WINDOWS = [1, 2, 3, 5, 7] as const;
const WIDEST = 7;
const MOST = 5000;

/**
 * Marks each event once per window it has entered, by whole UTC days. A rescheduled event leaves its windows and can
 * enter them again; ignored and deleted ones enter none. Reminders are based on the marks. Returns the new ones.
 */
async function markWindows(ctx: EventsContext): Promise<Mark[]> {
  const now = ctx.now();
  const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const added = await ctx.db.transaction().execute(async (tx) => {
    const events = await findStoredEvents(tx, { from: today }, MOST);
    const upcoming = events.filter((event) => event.ignored_at === null && !hasPassed(event, now));
    const daysLeft = new Map(upcoming.map(({ id, at }) => [id, daysBetween(now, new Date(at))]));
    const marks = await readMarks(
      tx,
      events.map(({ id }) => id),
    );
    await removeMarks(
      tx,
      marks.filter(({ event_id, days }) => (daysLeft.get(event_id) ?? 0) > days),
    );
    const due = upcoming.filter(({ at }) => Date.parse(at) < addDays(today, WIDEST + 1).getTime());
    const added = await addMarks(
      tx,
      due.flatMap(({ id }) =>
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

/** Reads the calendars with the slow series, and marks approaching events. */
export function eventsJobs({ ctx }: Events): Job[] {
  const minutes = ctx.config.SLOW_LANE_MINUTES;
  return [
    defineJob({
      name: 'events.collect',
      about: 'Collects the calendar: FOMC, releases, agencies, earnings, crypto',
      schedule: [minutes >= 60 ? `11 */${Math.round(minutes / 60)} * * *` : `4-59/${minutes} * * * *`],
      exclusive: true,
      retryLimit: 1,
      reads: ADAPTERS.map(({ source }) => source),
      payload: noPayload,
      async run(_, signal) {
        await collectEvents(ctx, signal);
        await markWindows(ctx);
      },
    }),
    defineJob({
      name: 'events.windows',
      about: 'Marks events 1, 2, 3, 5 or 7 days ahead and sends reminders',
      schedule: ['*/5 * * * *'],
      exclusive: true,
      retryLimit: 1,
      payload: noPayload,
      run: async () => void (await markWindows(ctx)),
    }),
  ];
}
