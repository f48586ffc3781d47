import { easternTime, releasesBetween, type ScheduledRelease } from '#shared/release-calendar.ts';

import { DAY } from './time.ts';

export type AnnouncedRelease = ScheduledRelease & { moved: boolean };

/** Every fourth jobs report is postponed at short notice: announced two days before. */
const isPostponed = ({ type, period }: ScheduledRelease) => type === 'payrolls' && Number(period.slice(5)) % 4 === 3;
const NOTICE_MS = 2 * DAY;

function postponedDate(at: Date): Date {
  const moved = new Date(at.getTime() + 4 * DAY);
  return moved.getUTCDay() % 6 === 0 ? new Date(moved.getTime() + 2 * DAY) : moved;
}

/** The release schedule announced by the agencies at a given time. */
export function announcedReleases(now: number, from: number, to: number): AnnouncedRelease[] {
  return releasesBetween(new Date(from), new Date(to)).map((release) => {
    const moved = isPostponed(release) && now >= release.at.getTime() - NOTICE_MS;
    return { ...release, moved, at: moved ? postponedDate(release.at) : release.at };
  });
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const monthName = (month: number): string => MONTHS[((month % 12) + 12) % 12] ?? '';
export const longDate = (ms: number): string => {
  const at = new Date(ms);
  return `${monthName(at.getUTCMonth())} ${at.getUTCDate()}, ${at.getUTCFullYear()}`;
};
export const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Second days of the meetings, as announced; a star marks projections. */
const MEETINGS: Readonly<Record<number, string>> = {
  2025: '1-29 3-19* 5-7 6-18* 7-30 9-17* 10-29 12-10*',
  2026: '1-28 3-18* 4-29 6-17* 7-29 9-16* 10-28 12-9*',
  2027: '1-27 3-17* 4-28 6-9* 7-28 9-15* 10-27 12-8*',
};
const USUAL_MEETINGS: readonly [month: number, star: boolean][] = [
  [0, false],
  [2, true],
  [3, false],
  [5, true],
  [6, false],
  [8, true],
  [9, false],
  [11, true],
];

export type Meeting = { month: number; date: number; hasProjections: boolean; at: Date };

/** The last days of the FOMC meetings of a year; years not announced follow the usual pattern. */
export function meetingsOf(year: number): Meeting[] {
  const known = MEETINGS[year]?.split(' ').map((text) => {
    const [month = 1, date = 1] = text.replace('*', '').split('-').map(Number);
    return { month: month - 1, date, hasProjections: text.endsWith('*') };
  });
  const days =
    known ??
    USUAL_MEETINGS.map(([month, hasProjections]) => {
      const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
      return { month, hasProjections, date: 1 + ((3 - first + 7) % 7) + (month === 11 ? 7 : 14) };
    });
  return days.map((day) => ({
    ...day,
    at: easternTime(dateText(Date.UTC(year, day.month, day.date)), '14:00'),
  }));
}
