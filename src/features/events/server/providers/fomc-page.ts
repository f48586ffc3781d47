import { addDays, dayFrom, dayOf, midnight, monthNamed } from '../days.ts';
import { readable } from './rss.ts';

/** The last day of a meeting, on which its decision comes out; `projections`: with the Summary of Economic Projections. */
export type Meeting = { day: string; projections: boolean };

const SECTION = /\b(20\d\d) FOMC Meetings\b/g;
const MEETING =
  /\b([A-Z][a-z]{2,8})(?:\/([A-Z][a-z]{2,8}))?\.? (\d{1,2})(?:\s?[-–]\s?(\d{1,2}))?(\*)?(?: \(([^)]*)\))?/g;

/** What the calendar page says, whatever its mark-up; null when it names no meeting at all. */
export function meetingsOn(html: string): Meeting[] | null {
  const text = readable(html).replaceAll(/\(Released [^)]*\)/g, '');
  const starts = [...text.matchAll(SECTION)];
  const meetings = starts.flatMap((start, i) => {
    const section = text.slice(start.index + start[0].length, starts[i + 1]?.index ?? text.length);
    return [...section.split(/\* Meeting associated/)[0]!.matchAll(MEETING)].flatMap((match) =>
      meetingOf(match, Number(start[1])),
    );
  });
  return meetings.length > 0 ? meetings.toSorted((a, b) => a.day.localeCompare(b.day)) : null;
}

function meetingOf([, from = '', to, first = '', last, star, note]: RegExpExecArray, year: number): Meeting[] {
  if (note && /cancel|notation|unscheduled|conference call/i.test(note)) return [];
  const begins = monthNamed(from);
  if (begins === undefined) return [];
  const named = to === undefined ? undefined : monthNamed(to);
  const end = last ?? first;
  const rolls = named === undefined && Number(end) < Number(first);
  const month = named ?? (rolls ? begins + 1 : begins);
  const day = dayFrom(year, month, Number(end));
  return day ? [{ day, projections: star !== undefined }] : [];
}

/** By the Committee's own rule three weeks after the decision. */
export const minutesDay = (decision: string): string => dayOf(addDays(midnight(decision), 21));
/** Two weeks before the week of the decision, on a Wednesday. */
export const beigeBookDay = (decision: string): string => {
  const at = midnight(decision);
  return dayOf(addDays(at, 3 - at.getUTCDay() - 14));
};
