const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The earliest moment within `days`, with a minute to get there; without a limit whatever is stored. */
export const farthest = (nowMs: number, days: number | null): number =>
  days === null ? Number.NEGATIVE_INFINITY : nowMs - days * 24 * HOUR_MS + MINUTE_MS;

/** Within the last `days`; null is now. */
export function within(ms: number, nowMs: number, days: number | null): string | null {
  return ms >= nowMs ? null : new Date(Math.max(ms, farthest(nowMs, days))).toISOString();
}

/** The value of a date and time field that counts in UTC, and back. */
export const toField = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
export const fromField = (value: string): number => Date.parse(`${value}:00Z`);

export const STEPS = [
  ['\u22121 day', 'One day earlier', -24 * HOUR_MS],
  ['\u22121 h', 'One hour earlier', -HOUR_MS],
  ['+1 h', 'One hour later', HOUR_MS],
  ['+1 day', 'One day later', 24 * HOUR_MS],
] as const;
