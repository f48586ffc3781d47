import {
  type Announcement,
  announce,
  announced,
  eventEnd,
  shortTitle,
  withdraw,
} from '#features/notifications/server/notifications/service.ts';
import type { Db } from '#kernel/db.ts';

import { type Mark, readMarks, type StoredEvent } from '../store.ts';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const wholeDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const SEVERITIES = ['high', 'medium', 'low'] as const;

export const eventSubject = (id: number): string => `event:${id}`;

/** Includes the date, so that a rescheduled event is announced again. */
const reminderKey = ({ id, at }: StoredEvent, { days, entered_at }: Mark): string =>
  `${eventSubject(id)}:${days}:${entered_at}:${at}`;

function toReminder(event: StoredEvent, mark: Mark, covered: readonly number[]): Announcement {
  const { id, title, why, at, all_day, estimated, impact, source } = event;
  const date = new Date(at);
  const time = all_day ? '' : ` at ${at.slice(11, 16)} UTC`;
  const sure = estimated ? ' (estimated date)' : '';
  return {
    once: reminderKey(event, mark),
    kind: 'EVENT_REMINDER',
    severity: SEVERITIES.find((each) => each === impact) ?? 'low',
    subject: eventSubject(id),
    notice: {
      title: shortTitle(title?.trim() || 'Untitled Event', ` on ${day.format(date)}`),
      body: `It is on ${wholeDay.format(date)}${time}${sure}. ${why}`.trim(),
      path: '/app/events',
      tag: `event-${id}`,
      source: source ?? 'Calendar',
      eventDate: at,
      allDay: all_day,
    },
    window: { days: mark.days, covered },
    expiresAt: new Date(eventEnd({ eventDate: at, allDay: all_day }) ?? at),
  };
}

/** Announces the windows that events are in, each once, and withdraws announcements that no longer apply. */
export async function sendReminders(tx: Db, upcoming: readonly StoredEvent[], now: Date): Promise<void> {
  const marks = await readMarks(
    tx,
    upcoming.map(({ id }) => id),
  );
  const marksFor = Map.groupBy(marks, ({ event_id }) => event_id);
  const standing = upcoming.flatMap((event) =>
    (marksFor.get(event.id) ?? []).map((mark) => ({ event, mark, once: reminderKey(event, mark) })),
  );
  const onces = standing.map(({ once }) => once);
  await withdraw(tx, { kind: 'EVENT_REMINDER', except: onces }, now);
  const known = await announced(tx, onces);
  const news = standing.filter(({ once }) => !known.has(once));
  for (const { event, mark } of news) {
    const covered = news.filter((other) => other.event.id === event.id && other.mark.days < mark.days);
    await announce(
      tx,
      toReminder(
        event,
        mark,
        covered.map((other) => other.mark.days),
      ),
      now,
    );
  }
}
