import type { Event, UpcomingEvent } from '#features/events/contract.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const DAY_MS = 86_400_000;
const EASTERN = 'America/New_York';
const BLS = /\b(BLS|Bureau of Labor Statistics)\b/i;

type Dated = Pick<Event, 'date' | 'allDay'>;

/** Upcoming while the date is in the future; an all-day event lasts until the end of its day. */
export const isPast = ({ date, allDay, daysUntil }: Dated & Pick<Event, 'daysUntil'>, nowMs: number): boolean =>
  allDay ? daysUntil < 0 : Date.parse(date) <= nowMs;

const counted = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;

/** The server's remaining time, else whole days. `over` is the time since the response. */
export function relativeLabel(
  { timeRemaining, daysUntil }: Pick<UpcomingEvent, 'timeRemaining' | 'daysUntil'>,
  over = false,
): string {
  if (over) return 'Past';
  if (timeRemaining) return timeRemaining;
  if (daysUntil < 0) return 'Past';
  if (daysUntil === 0) return 'Today';
  if (daysUntil === 1) return 'Tomorrow';
  if (daysUntil < 7) return counted(daysUntil, 'day');
  if (daysUntil < 30) return counted(Math.floor(daysUntil / 7), 'week');
  return counted(Math.floor(daysUntil / 30), 'month');
}

/** The day as a key, `2026-11-25`: in the user's zone for timed events, else the day itself. */
export function dayKey({ date, allDay }: Dated): string {
  if (allDay) return date.slice(0, 10);
  const at = new Date(date);
  return toDayKey(at.getFullYear(), at.getMonth(), at.getDate());
}

const toDayKey = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** Today in the user's zone. */
export function todayKey(nowMs: number): string {
  const at = new Date(nowMs);
  return toDayKey(at.getFullYear(), at.getMonth(), at.getDate());
}

export const addDays = (key: string, days: number): string =>
  new Date(Date.parse(key) + days * DAY_MS).toISOString().slice(0, 10);

export function addMonths(key: string, months: number): string {
  const at = new Date(key);
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return toDayKey(first.getUTCFullYear(), first.getUTCMonth(), Math.min(at.getUTCDate(), last));
}

/** 0 is Monday. */
export const weekdayIndex = (key: string): number => (new Date(key).getUTCDay() + 6) % 7;

const splitDayKey = (key: string) => {
  const at = new Date(key);
  return {
    weekday: WEEKDAYS[at.getUTCDay()] ?? '',
    day: at.getUTCDate(),
    month: MONTHS[at.getUTCMonth()] ?? '',
    year: at.getUTCFullYear(),
  };
};

/** 'Wed, 25 Nov 2026' */
export function dayWords(key: string): string {
  const { weekday, day, month, year } = splitDayKey(key);
  return `${weekday}, ${day} ${month} ${year}`;
}

/** 'Nov' and '25', as on a calendar sheet. */
export const calendarLeaf = (key: string): { month: string; day: string } => {
  const { day, month } = splitDayKey(key);
  return { month, day: String(day) };
};

/** 'November 2026' */
export const monthWords = (key: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(key));

const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

/** '14:30 GMT+1' in the user's zone, or in the given one. */
export function timeWords(iso: string, timeZone?: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...options, ...(timeZone && { timeZone }) });
  clocks.set(timeZone, clock);
  return clock.format(new Date(iso));
}

/** '08:30' in Washington for BLS releases; null for everything else. */
export function easternTime({ date, allDay, source }: Dated & Pick<Event, 'source'>): string | null {
  if (allDay || !source || !BLS.test(source)) return null;
  return timeWords(date, EASTERN).split(' ')[0] ?? null;
}

/** The Monday of its week. */
export const weekStart = (key: string): string => addDays(key, -weekdayIndex(key));

/** Days of that many weeks, from a Monday. */
export const weeksFrom = (monday: string, count: number): string[][] =>
  Array.from({ length: count }, (_, week) => Array.from({ length: 7 }, (_, i) => addDays(monday, 7 * week + i)));

/** '30 Nov – 6 Dec', '7 – 13 Dec' */
export function weekWords(monday: string): string {
  const from = splitDayKey(monday);
  const to = splitDayKey(addDays(monday, 6));
  return `${from.day}${from.month === to.month ? '' : ` ${from.month}`} – ${to.day} ${to.month}`;
}
