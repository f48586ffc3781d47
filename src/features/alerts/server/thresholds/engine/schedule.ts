import type { Schedule } from './types.ts';

const MINUTE_MS = 60_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

type Clock = { format: Intl.DateTimeFormat; minute: number; day: number; time: number };
const clocks = new Map<string, Clock>();

function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = { format: new Intl.DateTimeFormat('en-US', options), minute: NaN, day: 0, time: 0 };
  clocks.set(timeZone, clock);
  return clock;
}

/** Throws when no such place is known here: the names of places change. */
export function checkTimeZone({ timeZone }: Schedule): void {
  clockOf(timeZone);
}

/** Day of the week and minutes since midnight of a place. Many rules ask about the same minute. */
function localTime(timeZone: string, at: number): Clock {
  const clock = clockOf(timeZone);
  const minute = Math.floor(at / MINUTE_MS);
  if (clock.minute !== minute) {
    const parts = clock.format.formatToParts(at);
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
    clock.day = DAYS.indexOf(part('weekday'));
    clock.time = Number(part('hour')) * 60 + Number(part('minute'));
    clock.minute = minute;
  }
  return clock;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** `to` no longer counts; the same time twice is the whole day. A night belongs to the day it begins on. */
export function isWithin({ days, from, to, timeZone }: Schedule, at: number): boolean {
  const { day, time } = localTime(timeZone, at);
  const start = minutesOf(from);
  const end = minutesOf(to);
  if (start < end) return days.includes(day) && time >= start && time < end;
  return (days.includes(day) && time >= start) || (days.includes((day + 6) % 7) && time < end);
}
