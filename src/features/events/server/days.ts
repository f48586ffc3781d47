export const DAY_MS = 86_400_000;

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
export const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);
export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** Whole UTC days from one moment's day to another's. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS);

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** 0 for January, also for `Jan` and `Jan.`; undefined when it is no month. */
export function monthNamed(word: string): number | undefined {
  const start = word.toLowerCase().replace('.', '');
  const found = start.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(start));
  return found < 0 ? undefined : found;
}

/** Undefined for a day that does not exist, as the 31st of June. */
export function dayFrom(year: number, month: number, date: number): string | undefined {
  const at = new Date(Date.UTC(year, month, date));
  return at.getUTCMonth() === month && at.getUTCDate() === date ? dayOf(at) : undefined;
}
