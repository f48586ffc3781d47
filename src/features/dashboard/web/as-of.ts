import { dateTime } from '#shared/format.ts';

/** What the address asks for, as the server wants it; null for now and for what is no time. */
export function parseAsOf(text: string | null): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** '14 Nov 2026, 12:00 UTC' */
export const minuteTime = (iso: string): string => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, ' UTC');
