import type { EventReading, Reading } from '../reading.ts';
import type { Judged } from './rule.ts';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Of an event that is in no window. */
const FAR = 99;

function messageOf({ title, date, allDay, dateEstimated, daysUntil }: EventReading): string {
  const when = daysUntil <= 0 ? 'is today' : daysUntil === 1 ? 'is tomorrow' : `is in ${daysUntil} days`;
  const time = allDay ? '' : ` at ${date.slice(11, 16)} UTC`;
  const sure = dateEstimated ? ', a day that is estimated' : '';
  return `${title} ${when}, on ${day.format(new Date(date))}${time}${sure}`;
}

/** Of each event by itself. One that moves away leaves its window, and is told of again in the next. */
export const calendar = ({ events }: Reading): Judged[] =>
  events.map((event) => ({
    gate: `UPCOMING_EVENT:${event.id}`,
    levels: 'UPCOMING_EVENT',
    strength: event.window ?? FAR,
    metric: 'event.window',
    value: null,
    message: () => messageOf(event),
    birth: { source: event.source, method: event.method, sourceAt: event.sourceAt, receivedAt: event.sourceAt },
    event: { id: event.id, date: event.date },
  }));
