const WEEK_MS = 7 * 86_400_000;

/** Weeks are counted from 1970-01-01 UTC; what is fitted on the past is fitted once a week. */
export const startOfWeek = (ms: number): number => Math.floor(ms / WEEK_MS) * WEEK_MS;
