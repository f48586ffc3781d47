import { dateTime } from '#shared/format.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const FARTHEST_MS = 30 * 24 * HOUR_MS;

/** What the address asks for, as the server wants it; null for now and for what is no time. */
export function parseAsOf(text: string | null): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Within the last 30 days; null is now. */
export function within(ms: number, nowMs: number): string | null {
  if (ms >= nowMs) return null;
  return new Date(Math.max(ms, nowMs - FARTHEST_MS + MINUTE_MS)).toISOString();
}

/** '14 Nov 2026, 12:00 UTC' */
export const minuteTime = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');

/** The value of a date and time field that counts in UTC, and back. */
export const toField = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
export const fromField = (value: string): number => Date.parse(`${value}:00Z`);

export const farthest = (nowMs: number): number => nowMs - FARTHEST_MS + MINUTE_MS;

export const STEPS = [
  ['\u22121 day', 'One day earlier', -24 * HOUR_MS],
  ['\u22121 h', 'One hour earlier', -HOUR_MS],
  ['+1 h', 'One hour later', HOUR_MS],
  ['+1 day', 'One day later', 24 * HOUR_MS],
] as const;
