import { GDP_DAYS, MONTHLY_DAYS } from './release-days.ts';

export const RELEASE_TYPES = ['cpi', 'ppi', 'pce', 'payrolls', 'gdp'] as const;
export type ReleaseType = (typeof RELEASE_TYPES)[number];
export type GdpEstimate = 'advance' | 'second' | 'third';

/** One release of official US figures. */
export type ScheduledRelease = {
  type: ReleaseType;
  /** Reference month `2026-10`, or quarter `2026-Q3`. */
  period: string;
  /** GDP only. */
  estimate?: GdpEstimate;
  at: Date;
  /** The agency has not announced the day: it is estimated by the usual rule. */
  estimated: boolean;
};

export const RELEASE_NAMES: Readonly<Record<ReleaseType, { name: string; agency: string; schedule: string }>> = {
  cpi: {
    name: 'Consumer Price Index',
    agency: 'Bureau of Labor Statistics',
    schedule: 'https://www.bls.gov/schedule/news_release/cpi.htm',
  },
  ppi: {
    name: 'Producer Price Index',
    agency: 'Bureau of Labor Statistics',
    schedule: 'https://www.bls.gov/schedule/news_release/ppi.htm',
  },
  pce: {
    name: 'Personal Income and Outlays',
    agency: 'Bureau of Economic Analysis',
    schedule: 'https://www.bea.gov/news/schedule',
  },
  payrolls: {
    name: 'Employment Situation',
    agency: 'Bureau of Labor Statistics',
    schedule: 'https://www.bls.gov/schedule/news_release/empsit.htm',
  },
  gdp: {
    name: 'Gross Domestic Product',
    agency: 'Bureau of Economic Analysis',
    schedule: 'https://www.bea.gov/news/schedule',
  },
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_YEAR = 1990;
const ESTIMATES: readonly GdpEstimate[] = ['advance', 'second', 'third'];
const two = (n: number) => String(n).padStart(2, '0');

/** Day of the month that is its `n`th such weekday (0 is Sunday), counted from the end with a negative `n`. */
function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  if (n < 0) {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7) + 7 * (n + 1);
  }
  return 1 + ((weekday - new Date(Date.UTC(year, month, 1)).getUTCDay() + 7) % 7) + 7 * (n - 1);
}

/**
 * A wall-clock time in New York; daylight saving time lasts from 2 a.m. on the second Sunday of March to the first of
 * November.
 */
export function easternTime(day: string, time = '08:30'): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const local = Date.UTC(year, month - 1, date, hour, minute);
  const from = Date.UTC(year, 2, nthWeekday(year, 2, 0, 2), 2);
  const to = Date.UTC(year, 10, nthWeekday(year, 10, 0, 1), 2);
  return new Date(local + (local >= from && local < to ? 4 : 5) * HOUR_MS);
}

/** The date in New York at a given time. */
export function easternDay(at: Date): string {
  const summer = new Date(at.getTime() - 4 * HOUR_MS);
  const guess = summer.toISOString();
  const isSummer =
    easternTime(guess.slice(0, 10), guess.slice(11, 16)).getTime() === Math.floor(at.getTime() / 6e4) * 6e4;
  return (isSummer ? summer : new Date(at.getTime() - 5 * HOUR_MS)).toISOString().slice(0, 10);
}

/** `2026-10` and 2 months: `2026-12`. */
export function addMonths(period: string, months: number): string {
  const [year = 0, month = 1] = period.split('-').map(Number);
  const all = year * 12 + month - 1 + months;
  return `${Math.floor(all / 12)}-${two((((all % 12) + 12) % 12) + 1)}`;
}

function isFederalHoliday(day: Date): boolean {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  if (
    [
      [0, 1],
      [5, 19],
      [6, 4],
      [10, 11],
      [11, 24],
      [11, 25],
    ].some(([m, d]) => m === month && d === date)
  )
    return true;
  const moving: readonly (readonly [number, number, number])[] = [
    [0, 1, 3],
    [1, 1, 3],
    [4, 1, -1],
    [8, 1, 1],
    [9, 1, 2],
    [10, 4, 4],
  ];
  return moving.some(([m, weekday, n]) => m === month && nthWeekday(year, m, weekday, n) === date);
}

/** The day itself if the agencies work, else the next (`step` 1) or last (−1) one on which they do. */
function workingDay(ms: number, step: 1 | -1): number {
  let day = ms;
  for (;;) {
    const date = new Date(day);
    if (date.getUTCDay() % 6 !== 0 && !isFederalHoliday(date)) return day;
    day += step * DAY_MS;
  }
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The usual schedule of the agencies: see docs/decisions/010-inflation.md. */
function usualDay(type: Exclude<ReleaseType, 'gdp'>, period: string): string {
  const [year = 0, month = 1] = addMonths(period, 1).split('-').map(Number);
  if (type === 'cpi' || type === 'ppi') {
    const tenth = Date.UTC(year, month - 1, 10);
    const wednesday = tenth + ((3 - new Date(tenth).getUTCDay() + 7) % 7) * DAY_MS;
    const cpi = workingDay(wednesday, 1);
    return isoDay(type === 'cpi' ? cpi : workingDay(cpi + DAY_MS, 1));
  }
  if (type === 'pce') return isoDay(lastThursday(year, month) + (year < 2026 ? DAY_MS : 0));
  // The third Friday after the week with the 12th of the month.
  const twelfth = new Date(`${period}-12T00:00:00Z`);
  const saturday = twelfth.getTime() + (6 - twelfth.getUTCDay()) * DAY_MS;
  const friday = saturday + 20 * DAY_MS;
  if (month === 1 && new Date(friday).getUTCDate() <= 3) return isoDay(friday + 7 * DAY_MS);
  return isoDay(workingDay(friday, -1));
}

const lastThursday = (year: number, month: number) =>
  workingDay(Date.UTC(year, month - 1, nthWeekday(year, month - 1, 4, -1)), -1);

const release = (type: ReleaseType, period: string, given: string, estimated: boolean): ScheduledRelease => {
  const [day = '', time] = given.split('@');
  return { type, period, at: easternTime(day, time), estimated };
};

const texts = (days: string) => days.trim().split(/\s+/);

function monthly(type: Exclude<ReleaseType, 'gdp'>, untilYear: number): ScheduledRelease[] {
  const { first, days } = MONTHLY_DAYS[type];
  const named = texts(days);
  const all: ScheduledRelease[] = [];
  const end = addMonths(first, named.length);
  for (let period = `${FIRST_YEAR}-01`; period < first; period = addMonths(period, 1))
    all.push(release(type, period, usualDay(type, period), true));
  for (const [i, day] of named.entries()) if (day !== '-') all.push(release(type, addMonths(first, i), day, false));
  for (let period = end; period < `${untilYear}-12`; period = addMonths(period, 1))
    all.push(release(type, period, usualDay(type, period), true));
  return all;
}

function gdp(untilYear: number): ScheduledRelease[] {
  const named = texts(GDP_DAYS.days);
  const [firstYear = 0, firstQuarter = 1] = GDP_DAYS.first.split('-Q').map(Number);
  const first = firstYear * 4 + firstQuarter - 1;
  const all: ScheduledRelease[] = [];
  for (let quarter = FIRST_YEAR * 4; quarter < untilYear * 4; quarter++) {
    const period = `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;
    for (const [i, estimate] of ESTIMATES.entries()) {
      const given = quarter < first ? undefined : named[(quarter - first) * 3 + i];
      if (given === '-') continue;
      const month = addMonths(`${Math.floor(quarter / 4)}-${two((quarter % 4) * 3 + 3)}`, i + 1);
      const [year = 0, of = 1] = month.split('-').map(Number);
      const day = given ?? isoDay(lastThursday(year, of));
      all.push({ ...release('gdp', period, day, given === undefined), estimate });
    }
  }
  return all;
}

type Made = {
  untilYear: number;
  all: ScheduledRelease[];
  byPeriod: Map<string, ScheduledRelease>;
  byType: Map<ReleaseType, ScheduledRelease[]>;
};
let made: Made | null = null;

function madeUntil(year: number): Made {
  if (made && made.untilYear >= year) return made;
  const untilYear = year + 1;
  const types = ['cpi', 'ppi', 'pce', 'payrolls'] as const;
  const all = [...types.flatMap((type) => monthly(type, untilYear)), ...gdp(untilYear)].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
  const byPeriod = new Map<string, ScheduledRelease>();
  for (const each of all) {
    const key = `${each.type} ${each.period}`;
    if (!byPeriod.has(key)) byPeriod.set(key, each);
  }
  const byType = new Map(RELEASE_TYPES.map((type) => [type, all.filter((each) => each.type === type)]));
  made = { untilYear, all, byPeriod, byType };
  return made;
}

/** Index of the first release after a given time; `releases` are sorted by time. */
function firstAfter(releases: readonly ScheduledRelease[], moment: Date): number {
  let low = 0;
  for (let high = releases.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((releases[middle] as ScheduledRelease).at > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Every release after `from` up to and including `to`, oldest first. Days before 2024 and those not announced yet are
 * estimated.
 */
export function releasesBetween(
  from: Date,
  to: Date,
  types: readonly ReleaseType[] = RELEASE_TYPES,
): ScheduledRelease[] {
  const { all } = madeUntil(to.getUTCFullYear() + 1);
  return all.slice(firstAfter(all, from), firstAfter(all, to)).filter(({ type }) => types.includes(type));
}

/** The next release after a given time. */
export function nextRelease(type: ReleaseType, after: Date): ScheduledRelease {
  const releases = madeUntil(after.getUTCFullYear() + 2).byType.get(type) ?? [];
  const found = releases[firstAfter(releases, after)];
  if (!found) throw new Error(`No release of ${type} follows ${after.toISOString()}`);
  return found;
}

/** The release that first publishes a period's figures; undefined for one never released separately. */
export function findRelease(type: ReleaseType, period: string): ScheduledRelease | undefined {
  return madeUntil(Number(period.slice(0, 4)) + 2).byPeriod.get(`${type} ${period}`);
}
