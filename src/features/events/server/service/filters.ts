import type { CalendarQuery, Event } from '#features/events/contract.ts';

const IN_DAYS = { all: Number.POSITIVE_INFINITY, thisWeek: 7, nextMonth: 30 } as const;

/** The filters of the events page; Federal Reserve covers its monetary policy too. */
export function fits(event: Event, { category, impact, search, time }: CalendarQuery): boolean {
  const of = category === 'fed' && event.category === 'monetary_policy' ? 'fed' : event.category;
  if (category && category !== 'all' && of !== category) return false;
  if (impact && impact !== 'all' && event.impact !== impact) return false;
  if (time && time !== 'all' && (event.daysUntil < 0 || event.daysUntil > IN_DAYS[time])) return false;
  const sought = search?.trim().toLowerCase();
  if (!sought) return true;
  return [event.title, event.description, event.source].some((text) => text?.toLowerCase().includes(sought));
}
