const DAY_MS = 86_400_000;

/** The mean over the assets called on one day: the unit of every test, since calls of one day share their market. */
export type DateMean = { day: number; value: number };

/** Days since 1970-01-01 UTC. */
export const issueDay = (issuedAt: number): number => Math.floor(issuedAt / DAY_MS);

/** Oldest date first. */
export function meansByDate(days: readonly number[], values: readonly number[]): DateMean[] {
  const sums = new Map<number, { sum: number; n: number }>();
  for (const [i, day] of days.entries()) {
    const value = values[i] as number;
    const date = sums.get(day);
    if (date) {
      date.sum += value;
      date.n++;
    } else sums.set(day, { sum: value, n: 1 });
  }
  return [...sums].map(([day, { sum, n }]) => ({ day, value: sum / n })).toSorted((a, b) => a.day - b.day);
}

/** Dates at least the horizon apart, taken greedily from the oldest on: their windows share no day. */
export function nonOverlapping(dates: readonly DateMean[], horizonDays: number): DateMean[] {
  let free = Number.NEGATIVE_INFINITY;
  return dates.filter(({ day }) => {
    if (day < free) return false;
    free = day + horizonDays;
    return true;
  });
}

/** Calls persist about ten days, and windows overlap: both reach this far. */
export const dependenceDays = (horizonDays: number): number => Math.max(10, 2 * horizonDays);

const WEEK_MS = 7 * 86_400_000;

/** Weeks are counted from 1970-01-01 UTC; what is fitted on the past is fitted once a week. */
export const startOfWeek = (ms: number): number => Math.floor(ms / WEEK_MS) * WEEK_MS;
